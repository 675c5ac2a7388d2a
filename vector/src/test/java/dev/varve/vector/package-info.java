// SPDX-License-Identifier: Apache-2.0
/// Doors for the tests of the vector engines.
@NullMarked
package dev.varve.vector;

import org.jspecify.annotations.NullMarked;
