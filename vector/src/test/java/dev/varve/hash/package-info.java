// SPDX-License-Identifier: Apache-2.0
/// The contract of BLAKE3 for each width of vectors; in this package because engines are let in by
/// hand there.
@NullMarked
package dev.varve.hash;

import org.jspecify.annotations.NullMarked;
