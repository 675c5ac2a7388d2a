// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.Payload;

/// A line of a transcript.
///
/// @param raw the bytes without the line feed; nobody changes them
/// @param kept the same without the members that a fork changes: the payload of a turn
/// @param number of the line, starting at 1
/// @param ended whether a line feed follows. The last line of a live file may be torn
@SuppressWarnings("ArrayRecordComponent") // nobody compares these
public record TranscriptLine(byte[] raw, Payload kept, long number, boolean ended) {

  /// Says whether the line holds nothing but spaces.
  public boolean isBlank() {
    for (byte b : raw) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }
}
