// SPDX-License-Identifier: Apache-2.0
/// TLS from certificate files, the same for both ports.
@NullMarked
package dev.varve.server.tls;

import org.jspecify.annotations.NullMarked;
