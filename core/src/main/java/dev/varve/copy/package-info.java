// SPDX-License-Identifier: Apache-2.0

/// The copy of a store's content into another store of any kind. [StoreCopy] is the way in.
@NullMarked
package dev.varve.copy;

import org.jspecify.annotations.NullMarked;
