// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// The change of a file since it was archived last.
enum FileChange {
  /// The bytes are the same.
  NONE,
  /// The file begins with what was archived, or is new.
  GROWN,
  /// The bytes are others. What was archived stays in the version before.
  REWRITTEN,
  /// The file is a beginning of what is archived.
  OLDER
}
