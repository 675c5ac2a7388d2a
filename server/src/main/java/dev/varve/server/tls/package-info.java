// SPDX-License-Identifier: Apache-2.0
/// TLS from the files that certificates come in. The same for both ports.
@NullMarked
package dev.varve.server.tls;

import org.jspecify.annotations.NullMarked;
