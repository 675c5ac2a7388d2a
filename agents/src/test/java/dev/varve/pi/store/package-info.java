// SPDX-License-Identifier: Apache-2.0
/// Pi sessions into a store and out again: by hand-made files, by damage at random, and by folders
/// of real ones.
@NullMarked
package dev.varve.pi.store;

import org.jspecify.annotations.NullMarked;
