// SPDX-License-Identifier: Apache-2.0
/// The words of Varve: what a store is, what it holds, what it refuses.
///
/// A [Store] keeps *turns* (immutable, each with one parent) and *blobs* (bytes named by their
/// BLAKE3 hash). A *context* is a named pointer to a turn, its *head*; a fork is one more pointer.
/// The types here do no input or output; [dev.varve.local.LocalStore] is the store on a local disk.
@NullMarked
package dev.varve;

import org.jspecify.annotations.NullMarked;
