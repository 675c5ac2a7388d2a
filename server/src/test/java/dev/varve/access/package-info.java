// SPDX-License-Identifier: Apache-2.0
/// Tests of the room `access` that need a service, which the core has none of.
@NullMarked
package dev.varve.access;

import org.jspecify.annotations.NullMarked;
