// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes a message field by field, leaving room for the frame's header before it. For one thread.
public final class FieldWriter {

  /// Hears where each field stands; offsets count from the payload's first byte.
  public interface Trace {
    void field(String name, int offset, int sizeBytes);
  }

  private final @Nullable Trace trace;
  private byte[] bytes;
  private int end = Frame.HEADER_BYTES;

  /// @param sizeBytes about how large the payload will be
  public FieldWriter(int sizeBytes) {
    this(sizeBytes, null);
  }

  public FieldWriter(int sizeBytes, @Nullable Trace trace) {
    this.bytes = new byte[Frame.HEADER_BYTES + sizeBytes];
    this.trace = trace;
  }

  /// The frame as it goes over the wire, header first. The array may be longer than the frame; see
  /// [#frameBytes()].
  ///
  /// @throws IllegalArgumentException if the payload is over 4 GiB - 1
  public byte[] frame(MessageType type, int flags, long reqId) {
    new Frame.Header(payloadBytes(), type.number(), flags, reqId).write(bytes, 0);
    return bytes;
  }

  /// The size of the frame.
  public int frameBytes() {
    return end;
  }

  /// The size of the payload so far.
  public int payloadBytes() {
    return end - Frame.HEADER_BYTES;
  }

  /// A copy of the payload.
  public byte[] payload() {
    return Arrays.copyOfRange(bytes, Frame.HEADER_BYTES, end);
  }

  private int room(String name, int sizeBytes) {
    int at = end;
    if (sizeBytes > bytes.length - at) {
      long doubled = 2L * bytes.length;
      bytes =
          Arrays.copyOf(
              bytes,
              (int) Math.min(Math.max(doubled, (long) at + sizeBytes), Integer.MAX_VALUE - 8L));
    }
    end = Math.addExact(at, sizeBytes);
    if (trace != null) {
      trace.field(name, at - Frame.HEADER_BYTES, sizeBytes);
    }
    return at;
  }

  public void u8(String name, int value) {
    int at = room(name, 1);
    bytes[at] = (byte) value;
  }

  public void u16(String name, int value) {
    int at = room(name, 2);
    WireNumbers.u16(bytes, at, value);
  }

  public void u32(String name, int value) {
    int at = room(name, 4);
    WireNumbers.u32(bytes, at, value);
  }

  public void u64(String name, long value) {
    int at = room(name, 8);
    WireNumbers.u64(bytes, at, value);
  }

  public void hash(String name, BlobHash hash) {
    int at = room(name, BlobHash.SIZE_BYTES);
    hash.write(MemorySegment.ofArray(bytes), at);
  }

  /// Bytes of which the reader knows how many there are.
  public void raw(String name, byte[] value) {
    int at = room(name, value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
  }

  /// `name_len` as u32, then the bytes.
  public void bytes(String name, byte[] value) {
    u32(name + "_len", value.length);
    raw(name, value);
  }

  /// `name_len` as u32, then the bytes.
  public void bytes(String name, Payload value) {
    bytes(name, value.unsafeArray());
  }

  /// `name_len` as u32, then UTF-8.
  public void text(String name, String value) {
    bytes(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
