// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

/// Bounds on following a tree. Trees may share parts, so that few bytes can describe any number of
/// files.
///
/// @param entries the most entries looked at
/// @param depth the most folders within each other
public record TreeLimits(int entries, int depth) {

  /// A million entries, 256 folders deep.
  public static final TreeLimits DEFAULTS = new TreeLimits(1_000_000, 256);

  public TreeLimits {
    if (entries < 1 || depth < 1) {
      throw new IllegalArgumentException("limits of trees: " + entries + ", " + depth);
    }
  }
}
