// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

/// Lines of a session that somebody has in memory.
public final class SessionSlice {

  /// Takes the pieces of a line.
  public interface Taker {
    void take(SessionRecord record, int from, int to);
  }

  private SessionSlice() {}

  /// Hands out the pieces of the line from `from` to `to`, which excludes its line feed.
  public static void pieces(byte[] bytes, int from, int to, Taker taker) {
    for (LinePiece piece : LinePiece.of(bytes, from, to)) {
      taker.take(piece.record(), piece.from(), piece.to());
    }
  }

  /// The record at the beginning of a line whose end is not at hand.
  public static SessionRecord opening(byte[] bytes, int from, int to) {
    return RecordParser.opening(bytes, from, to);
  }
}
