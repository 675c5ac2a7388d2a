// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import dev.varve.history.bytes.ElidedLine;
import java.util.Set;

/// A version of a message. The agent writes an answer twice: first without its calls, and with the
/// calls and their results once all of them are done.
///
/// @param text the hash of the message without its calls
/// @param whole the hash of all
record MessageVersion(BlobHash text, BlobHash whole) {

  private static final Set<String> CALLS = Set.of("toolCalls");

  /// The members that the first version has already.
  private static final Set<String> TEXT = Set.of("content", "thoughts", "tokens", "model");

  /// @param message the bytes of a JSON object
  static MessageVersion of(byte[] message) {
    return new MessageVersion(
        Blake3.hash(ElidedLine.of(message, CALLS).kept()), Blake3.hash(message));
  }

  boolean hasCalls() {
    return !text.equals(whole);
  }

  /// Says whether nothing but the calls differs.
  boolean hasTextOf(MessageVersion other) {
    return text.equals(other.text);
  }

  /// The message without what the first version has.
  static byte[] calls(byte[] message) {
    return ElidedLine.of(message, TEXT).kept();
  }
}
