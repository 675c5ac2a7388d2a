// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The bytes that were cut out of a transcript's lines, each once, in the order in which they first
/// occur.
final class WordList {

  private final Map<Payload, Integer> numbers = new HashMap<>();
  private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();

  /// The number of a word, which is added if it is new.
  int number(byte[] word) {
    return numbers.computeIfAbsent(Payload.wrap(word), this::add);
  }

  private int add(Payload word) {
    try {
      LinePieces.writeNumber(word.sizeBytes(), encoded);
      encoded.write(word.unsafeArray());
      return numbers.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // an array has room
    }
  }

  InputStream encoded() {
    return new ByteArrayInputStream(encoded.toByteArray());
  }

  /// Reads what [#encoded()] wrote.
  static List<byte[]> read(Payload encoded, String where) {
    List<byte[]> words = new ArrayList<>();
    InputStream in = new ByteArrayInputStream(encoded.unsafeArray());
    try {
      while (in.available() > 0) {
        byte[] word = new byte[LinePieces.number(in, where, in.available())];
        LinePieces.demand(in.readNBytes(word, 0, word.length) == word.length, where);
        words.add(word);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }
}
