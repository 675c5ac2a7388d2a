// SPDX-License-Identifier: Apache-2.0
/// The store over a socket against a real port; the port is what this module has and core has not.
@NullMarked
package dev.varve.client;

import org.jspecify.annotations.NullMarked;
