// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import java.io.IOException;
import java.math.BigInteger;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/// Writes a [Value] as msgpack: each number in as few bytes as can be, so that the same value is
/// always the same bytes.
public final class MsgpackWriter {

  private MsgpackWriter() {}

  /// The bytes of `value`. An extension, whose bytes were not kept, becomes nil.
  public static Payload write(Value value) {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      write(value, packer);
      return Payload.wrap(packer.toByteArray());
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
  }

  private static void write(Value value, MessageBufferPacker packer) throws IOException {
    switch (value) {
      case Value.Nil _, Value.Extension _ -> packer.packNil();
      case Value.Bool bool -> packer.packBoolean(bool.value());
      case Value.Int number when number.fitsLong() -> packer.packLong(number.bits());
      case Value.Int number -> packer.packBigInteger(new BigInteger(number.toString()));
      case Value.Real number -> packer.packDouble(number.value());
      case Value.Text text -> packer.packString(text.value());
      case Value.Bytes bytes -> {
        packer.packBinaryHeader(bytes.value().sizeBytes());
        packer.writePayload(bytes.value().unsafeArray());
      }
      case Value.Items items -> {
        packer.packArrayHeader(items.values().size());
        for (Value item : items.values()) {
          write(item, packer);
        }
      }
      case Value.Entries map -> {
        packer.packMapHeader(map.entries().size());
        for (Value.Entry entry : map.entries()) {
          write(entry.key(), packer);
          write(entry.value(), packer);
        }
      }
    }
  }
}
