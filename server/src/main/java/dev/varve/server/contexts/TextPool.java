// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Distinct texts as bytes, each with a number: 8 to 16 bytes beside the text itself. The number 0
/// stands for an absent text. For one thread at a time.
final class TextPool {

  private static final int PAGE = 1 << 16;

  /// The length of the longest text.
  static final int TEXT_BYTES_MAX = PAGE;

  private byte[][] pages = {new byte[PAGE]};
  private int pageCount = 1;
  private int pageUsed;

  /// The place of each text, by its number.
  private long[] places = new long[16];

  private int[] lengths = new int[16];
  private int[] slots = new int[64];
  private int count;

  /// The greatest number of a text.
  int count() {
    return count;
  }

  /// The number of a text; -1 if the table does not have the text.
  int find(byte[] text) {
    int number = slots[slot(text)];
    return number == 0 ? -1 : number;
  }

  /// The number of a text, which is added if it is new.
  int add(byte[] text) {
    int slot = slot(text);
    if (slots[slot] != 0) {
      return slots[slot];
    }
    if (count + 1 == places.length) {
      places = Arrays.copyOf(places, places.length * 2);
      lengths = Arrays.copyOf(lengths, lengths.length * 2);
    }
    int number = ++count;
    places[number] = keep(text);
    lengths[number] = text.length;
    slots[slot] = number;
    if (count > slots.length / 2) {
      grow();
    }
    return number;
  }

  /// @throws IllegalArgumentException if the text has more bytes than a page
  private long keep(byte[] text) {
    if (text.length > PAGE) {
      throw new IllegalArgumentException("text of " + text.length + " bytes");
    }
    if (pageUsed + text.length > PAGE) {
      if (pageCount == pages.length) {
        pages = Arrays.copyOf(pages, pages.length * 2);
      }
      pages[pageCount++] = new byte[PAGE];
      pageUsed = 0;
    }
    System.arraycopy(text, 0, pages[pageCount - 1], pageUsed, text.length);
    long place = (long) (pageCount - 1) * PAGE + pageUsed;
    pageUsed += text.length;
    return place;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    for (int number = 1; number <= count; number++) {
      slots[slot(bytes(number))] = number;
    }
  }

  /// The slot of a text: its own, or the free one where it would be.
  private int slot(byte[] text) {
    int mask = slots.length - 1;
    int slot = (Arrays.hashCode(text) * 0x9E3779B9 >>> 7) & mask;
    while (slots[slot] != 0 && !isText(slots[slot], text)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isText(int number, byte[] text) {
    return lengths[number] == text.length && startsWith(number, text);
  }

  /// Returns whether the bytes of a text begin with others.
  boolean startsWith(int number, byte[] start) {
    int from = (int) (places[number] % PAGE);
    return lengths[number] >= start.length
        && Arrays.equals(page(number), from, from + start.length, start, 0, start.length);
  }

  /// Compares a text with another one, of which every character is ASCII and none a capital.
  ///
  /// @param isStart whether the text may go on behind the other one
  /// @return 1 if they are equal but for capitals, 0 if not, -1 if the text is not ASCII as far as
  ///   it matters
  int compareIgnoringCase(int number, byte[] lower, boolean isStart) {
    int length = lengths[number];
    int from = (int) (places[number] % PAGE);
    byte[] page = page(number);
    for (int i = 0; i < Math.min(length, lower.length); i++) {
      byte found = page[from + i];
      if (found < 0) {
        return -1;
      }
      if ((found >= 'A' && found <= 'Z' ? found + ('a' - 'A') : found) != lower[i]) {
        return 0;
      }
    }
    return length == lower.length || isStart && length > lower.length ? 1 : 0;
  }

  byte[] bytes(int number) {
    int from = (int) (places[number] % PAGE);
    return Arrays.copyOfRange(page(number), from, from + lengths[number]);
  }

  private byte[] page(int number) {
    return pages[(int) (places[number] / PAGE)];
  }

  /// Appends texts, each behind its length, as far as there is room for the longest.
  ///
  /// @return the first number that is not written
  int write(int first, int last, ByteBuffer out) {
    int number = first;
    for (; number <= last && out.remaining() >= Integer.BYTES + TEXT_BYTES_MAX; number++) {
      int from = (int) (places[number] % PAGE);
      out.putInt(lengths[number]).put(page(number), from, lengths[number]);
    }
    return number;
  }

  /// The memory of the table.
  long weightBytes() {
    return (long) pageCount * PAGE
        + (long) places.length * (Long.BYTES + Integer.BYTES)
        + (long) slots.length * Integer.BYTES;
  }
}
