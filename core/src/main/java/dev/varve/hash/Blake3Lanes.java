// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// An engine that hashes many chunks, or joins many pairs of subtrees, at once.
///
/// The tree of BLAKE3 makes its chunks independent of each other, so that a processor with wide
/// registers can take one in each lane. [Blake3] asks the engine that [Blake3Acceleration] let in;
/// a provider is found through `ServiceLoader`. Any number of threads may call an engine at once,
/// and it keeps no reference to the arrays. A chaining value (CV) is 32 bytes, eight little-endian
/// words.
public interface Blake3Lanes {

  /// The name of the engine for people: `scalar`, `8 lanes of 32 bits`.
  String name();

  /// Writes the CVs of consecutive chunks, none of which is the root, at `out` in `cvs`.
  ///
  /// @param bytes the chunks stand at `at`, 1024 bytes each, the last one perhaps shorter
  /// @param length how many bytes they have in all, at least 1
  /// @param counter how many chunks stand before the first
  void chunks(byte[] bytes, int at, int length, long counter, byte[] cvs, int out);

  /// Joins `2 * pairs` CVs that stand at `at` in `cvs` into `pairs` CVs, in their place and in
  /// order. No parent is the root.
  ///
  /// @param pairs at least 1
  void parents(byte[] cvs, int at, int pairs);

  /// The engine that is right everywhere, for what another one would rather not do.
  static Blake3Lanes scalar() {
    return ScalarLanes.INSTANCE;
  }
}
