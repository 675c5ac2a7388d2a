// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

/// The cuts of one content, in order. A line of JSON is a chunk of its own, so that a file of such
/// lines shares its chunks with turns whose payloads are the lines; what lies between these lines
/// is cut by a [ContentChunker].
///
/// A *line of JSON* here begins with `{`, at the start of the content or behind a line feed, goes
/// up to the next line feed or the end of the content, and has at least [ChunkSizes#lineBytesMin()]
/// bytes. The line feed is no part of the chunk; the entry of a list says that one follows. A line
/// larger than a chunk is cut by a [ContentChunker] too, from its start to its end.
///
/// The rule, in full: `docs/format/chunk-lists.md`.
final class JsonLineCutter {

  private final ChunkSizes sizes;
  private final ContentChunker cutter;

  /// True if the next byte begins a line.
  private boolean atLineStart;

  /// True if the next byte is inside a line of JSON that is larger than a chunk.
  private boolean inLine;

  private boolean lineFeed;

  /// @param atLineStart whether the first byte begins a line; if not, it stands between lines of
  ///   JSON
  JsonLineCutter(ChunkSizes sizes, boolean atLineStart) {
    this.sizes = sizes;
    this.cutter = new ContentChunker(sizes);
    this.atLineStart = atLineStart;
  }

  /// The number of bytes after a cut that must be known to find the next cut.
  static int lookaheadBytes(ChunkSizes sizes) {
    return sizes.maxBytes() + sizes.lineBytesMin();
  }

  /// The size of the next chunk, which begins at `offset`.
  ///
  /// @param length how many bytes there are from `offset` on: all that is left of the content, or
  ///   at least [#lookaheadBytes]
  int cut(byte[] bytes, int offset, int length) {
    boolean line = inLine || atLineStart && isLine(bytes, offset, length);
    return line ? cutLine(bytes, offset, length) : cutBetween(bytes, offset, length);
  }

  /// Returns whether a line feed that follows the chunk found last belongs to the chunk's entry.
  /// The next chunk then begins behind the line feed.
  boolean takesLineFeed() {
    return lineFeed;
  }

  private int cutLine(byte[] bytes, int offset, int length) {
    int end = lineFeed(bytes, offset, Math.min(length, sizes.maxBytes() + 1));
    boolean fits = end <= sizes.maxBytes();
    int size = fits && !inLine ? end : cutter.cut(bytes, offset, fits ? end : length);
    inLine = !fits || size < end;
    lineFeed = !inLine && size < length && size < sizes.maxBytes();
    atLineStart = lineFeed;
    return size;
  }

  private int cutBetween(byte[] bytes, int offset, int length) {
    int noCut = Math.min(length, sizes.minBytes());
    int size = findLine(bytes, offset, 1, noCut, length);
    if (size == noCut) {
      size = findLine(bytes, offset, noCut, cutter.cut(bytes, offset, length), length);
    }
    lineFeed = false;
    atLineStart = bytes[offset + size - 1] == '\n';
    return size;
  }

  /// Where behind `offset` the first line of JSON begins that begins from `from` on and before
  /// `end`; `end` if there is none.
  private int findLine(byte[] bytes, int offset, int from, int end, int length) {
    for (int at = from; at < end; at++) {
      if (bytes[offset + at] == '{'
          && bytes[offset + at - 1] == '\n'
          && isLine(bytes, offset + at, length - at)) {
        return at;
      }
    }
    return end;
  }

  private boolean isLine(byte[] bytes, int offset, int length) {
    int least = sizes.lineBytesMin();
    return length >= least && bytes[offset] == '{' && lineFeed(bytes, offset, least) == least;
  }

  /// The number of bytes before the next line feed; `length` if there is no line feed within
  /// `length`.
  private static int lineFeed(byte[] bytes, int offset, int length) {
    int size = 0;
    while (size < length && bytes[offset + size] != '\n') {
      size++;
    }
    return size;
  }
}
