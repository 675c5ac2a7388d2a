// SPDX-License-Identifier: Apache-2.0
/// A store that is obviously right, and the machinery that compares other stores with it.
///
/// [StoreModel] is the store as a few maps behind one lock; tests of other modules use it as a
/// store in memory. [RandomOperations] invents operations from a seed, [ModelCheck] plays them to a
/// model and to a store and compares every answer and every refusal.
@NullMarked
package dev.varve.sim;

import org.jspecify.annotations.NullMarked;
