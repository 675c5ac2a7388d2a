// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.hash.Blake3;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// The place where the states of hashers are kept.
public sealed interface HashStates {

  /// The ending of the name of each file.
  String SUFFIX = ".blake3state";

  /// Beside each session: its name and [#SUFFIX] (spec 000).
  record Beside() implements HashStates {}

  /// In one folder, under a hash of the session's path.
  record In(Path folder) implements HashStates {}

  /// Nowhere: every session is hashed from its beginning.
  record None() implements HashStates {}

  /// The state of the session `file`, an absolute path.
  default Optional<Path> of(Path file) {
    return switch (this) {
      case Beside() -> Optional.of(file.resolveSibling(file.getFileName() + SUFFIX));
      case In(Path folder) -> {
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        yield Optional.of(folder.resolve(Blake3.hash(path).toString().substring(0, 32) + SUFFIX));
      }
      case None() -> Optional.empty();
    };
  }
}
