// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.IOException;
import java.math.BigInteger;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/// The writer of a [PayloadValue] as msgpack: each number in as few bytes as possible, so that
/// equal values have equal bytes.
public final class MsgpackWriter {

  private MsgpackWriter() {}

  /// The bytes of `value`. An extension, whose bytes were not kept, becomes nil.
  ///
  /// @throws StoreException.Invalid for a number that msgpack cannot hold
  public static Payload write(PayloadValue value) {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      write(value, packer);
      return Payload.wrap(packer.toByteArray());
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
  }

  private static void write(PayloadValue value, MessageBufferPacker packer) throws IOException {
    switch (value) {
      case PayloadValue.Nil _, PayloadValue.Extension _ -> packer.packNil();
      case PayloadValue.Bool bool -> packer.packBoolean(bool.value());
      case PayloadValue.Int number when number.fitsLong() -> packer.packLong(number.bits());
      case PayloadValue.Int number -> packer.packBigInteger(new BigInteger(number.toString()));
      case PayloadValue.Real number -> packer.packDouble(number.value());
      case PayloadValue.Decimal number ->
          throw new StoreException.Invalid(
              "number " + number.shortened(), "neither 64 bits nor a double hold it");
      case PayloadValue.Text text -> packer.packString(text.value());
      case PayloadValue.Bytes bytes -> {
        packer.packBinaryHeader(bytes.value().sizeBytes());
        packer.writePayload(bytes.value().unsafeArray());
      }
      case PayloadValue.Items items -> {
        packer.packArrayHeader(items.values().size());
        for (PayloadValue item : items.values()) {
          write(item, packer);
        }
      }
      case PayloadValue.Entries map -> {
        packer.packMapHeader(map.entries().size());
        for (PayloadValue.Entry entry : map.entries()) {
          write(entry.key(), packer);
          write(entry.value(), packer);
        }
      }
    }
  }
}
