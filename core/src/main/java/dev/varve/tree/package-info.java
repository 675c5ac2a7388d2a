// SPDX-License-Identifier: Apache-2.0
/// Trees of files, as they were at a turn: each folder is a blob that lists names, kinds, modes,
/// sizes and the hashes of what they stand for (docs/format/tree.md).
///
/// [TreeCodec] is the bytes, [StoredTrees] finds paths, walks and compares, [TurnTrees] finds the
/// tree that belongs to a turn. Names come from outside: a [Tree] holds only names that are one
/// plain step of a path, once each. Nothing here touches a disk.
@NullMarked
package dev.varve.tree;

import org.jspecify.annotations.NullMarked;
