// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Bytes that nobody changes: what a turn carries, what a blob is. Equal when the bytes are equal.
public final class Payload {

  /// No bytes at all. A valid payload.
  public static final Payload EMPTY = new Payload(new byte[0]);

  private final byte[] bytes;
  private @Nullable BlobHash hash; // set more than once at worst, and always to the same

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /// A payload with a copy of `bytes`.
  public static Payload of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Payload(bytes.clone());
  }

  /// A payload with the UTF-8 bytes of `text`.
  public static Payload utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A payload *around* `bytes`: nothing is copied, and the caller promises never to change the
  /// array again.
  public static Payload wrap(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Payload(bytes);
  }

  public int sizeBytes() {
    return bytes.length;
  }

  /// A copy of the bytes.
  public byte[] bytes() {
    return bytes.clone();
  }

  /// The bytes, to read from without a copy.
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /// The array inside, for code that hashes, compresses or sends it and **never writes to it**.
  public byte[] unsafeArray() {
    return bytes;
  }

  /// The hash of the bytes: what `hashing` says of them, which is asked once and remembered. Ask
  /// `Blake3.hash(payload)`.
  public BlobHash hash(Function<byte[], BlobHash> hashing) {
    BlobHash known = hash;
    if (known == null) {
      known = hashing.apply(bytes);
      hash = known;
    }
    return known;
  }

  /// The bytes read as UTF-8; what is not UTF-8 becomes U+FFFD.
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Payload[" + bytes.length + " bytes]";
  }
}
