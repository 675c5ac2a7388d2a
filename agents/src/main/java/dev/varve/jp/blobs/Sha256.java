// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// The SHA-256 of a content: what RFD 066 calls its checksum. Another type than a store's
/// `BlobHash`, which is BLAKE3.
///
/// @param hex 64 lower-case hexadecimal digits and nothing else, so that it may be part of a path
public record Sha256(String hex) implements Comparable<Sha256> {

  private static final int DIGITS = 64;

  public Sha256 {
    if (!isHash(hex)) {
      throw new IllegalArgumentException("not 64 lower-case hexadecimal digits: " + hex);
    }
  }

  public static Sha256 of(byte[] content) {
    return ofDigest(digest().digest(content));
  }

  /// The hash of what a digest was updated with.
  public static Sha256 of(MessageDigest digest) {
    return ofDigest(digest.digest());
  }

  private static Sha256 ofDigest(byte[] digest) {
    return new Sha256(HexFormat.of().formatHex(digest));
  }

  /// The hash that `text` spells exactly; empty if it is anything else.
  public static Optional<Sha256> find(String text) {
    return isHash(text) ? Optional.of(new Sha256(text)) : Optional.empty();
  }

  private static boolean isHash(String text) {
    return text.length() == DIGITS && areDigits(text);
  }

  /// Returns whether all characters are lower-case hexadecimal digits. A sweep asks this of every
  /// name; a regular expression takes a fifth of its time.
  static boolean areDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /// The hash that `text` spells exactly.
  ///
  /// @throws StoreException.Invalid if it is anything else
  public static Sha256 parse(String text) {
    return find(text)
        .orElseThrow(
            () ->
                new StoreException.Invalid(
                    "SHA-256", "expected 64 lower-case hexadecimal digits, found '" + text + "'"));
  }

  /// A digest for a content that comes piece by piece.
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  @Override
  public int compareTo(Sha256 other) {
    return hex.compareTo(other.hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
