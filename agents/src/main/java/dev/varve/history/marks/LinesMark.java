// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.Payload;
import dev.varve.imports.LineReader;
import dev.varve.imports.SpotHashes;

/// The place behind the last line of a transcript, which ends with a line feed.
///
/// @param lines the number of lines before
/// @param hasher the state of the hasher that took all bytes before
/// @param spots hashes of some of these bytes
public record LinesMark(long lines, Payload hasher, SpotHashes spots) {

  /// The place behind the lines that were read.
  public static LinesMark behind(LineReader lines, SpotHashes spots) {
    return new LinesMark(lines.number(), Payload.wrap(lines.hashState()), spots);
  }
}
