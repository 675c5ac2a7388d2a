// SPDX-License-Identifier: Apache-2.0
/// Finds blobs that nothing refers to, and takes them away, in an order in which every mistake is
/// on the safe side.
///
/// [BlobSweep] marks first: every reference in every conversation of a root, live, archived, in
/// JP's trash or nested. Then it asks git about other branches, stashes and worktrees. Then, alone
/// with the store for a moment, it looks again at what has changed, and renames what is still
/// unreferred into a dated trash. What cannot be read stops it. It may end at any point: each step
/// leaves a store that is whole.
@NullMarked
package dev.varve.jp.sweep;

import org.jspecify.annotations.NullMarked;
