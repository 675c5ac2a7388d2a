// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;

/// An entry's id, in 16 bytes.
///
/// Pi's ids are eight hex digits. Up to 15 Latin-1 characters are kept as they are, so that two ids
/// are equal here only if they are equal; longer ones, which only other programs write, as 120 bits
/// of their BLAKE3 hash.
public record EntryId(long high, long low) {

  private static final int EXACT_MAX = 15;
  private static final long HASHED = 0xFF;

  public static EntryId of(String id) {
    if (id.length() <= EXACT_MAX) {
      long high = 0;
      long low = id.length() + 1L; // never 0, so that no id is all zeros
      int i = 0;
      for (; i < id.length() && id.charAt(i) <= 0xFF; i++) {
        if (i < 8) {
          high |= (long) id.charAt(i) << (8 * i);
        } else {
          low |= (long) id.charAt(i) << (8 * (i - 7));
        }
      }
      if (i == id.length()) {
        return new EntryId(high, low);
      }
    }
    byte[] chars = new byte[2 * id.length()]; // not UTF-8, in which all lone surrogates are one
    for (int i = 0; i < id.length(); i++) {
      chars[2 * i] = (byte) (id.charAt(i) >>> 8);
      chars[2 * i + 1] = (byte) id.charAt(i);
    }
    BlobHash hash = Blake3.hash(chars);
    return new EntryId(hash.w0(), (hash.w1() & ~0xFFL) | HASHED);
  }
}
