// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.ExtensionTypeHeader;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/// Takes msgpack apart, within [Bounds].
///
/// A length is compared with the bytes that are left before anything is made of it, and nesting is
/// counted, so no payload takes more memory than its own size and its number of values allow, or
/// more stack than `depth` calls.
public final class MsgpackReader {

  private final MessageUnpacker unpacker;
  private final Bounds bounds;
  private final int sizeBytes;
  private int valuesLeft;

  private MsgpackReader(Payload payload, Bounds bounds) {
    this.unpacker = MessagePack.newDefaultUnpacker(payload.unsafeArray());
    this.bounds = bounds;
    this.sizeBytes = payload.sizeBytes();
    this.valuesLeft = bounds.values();
  }

  /// The first value of `payload`; what stands behind it is not looked at.
  ///
  /// @throws StoreException.Invalid if there is no whole value, or the bounds are crossed
  public static Value read(Payload payload, Bounds bounds) {
    if (payload.sizeBytes() > bounds.sizeBytes()) {
      throw new StoreException.TooLarge("msgpack", payload.sizeBytes(), bounds.sizeBytes());
    }
    MsgpackReader reader = new MsgpackReader(payload, bounds);
    try {
      return reader.value(0);
    } catch (MessagePackException | IOException e) {
      throw reader.damaged(e.getMessage() == null ? "cut short" : e.getMessage());
    }
  }

  private Value value(int depth) throws IOException {
    if (--valuesLeft < 0) {
      throw damaged("more than " + bounds.values() + " values");
    }
    if (!unpacker.hasNext()) {
      throw damaged("cut short");
    }
    MessageFormat format = unpacker.getNextFormat();
    if (format == MessageFormat.NEVER_USED) {
      throw damaged("the byte c1 stands for nothing");
    }
    return switch (format.getValueType()) {
      case NIL -> {
        unpacker.unpackNil();
        yield Value.Nil.NIL;
      }
      case BOOLEAN -> new Value.Bool(unpacker.unpackBoolean());
      case INTEGER -> integer(format);
      case FLOAT -> new Value.Real(unpacker.unpackDouble());
      case STRING -> new Value.Text(text(bytes(unpacker.unpackRawStringHeader())));
      case BINARY -> new Value.Bytes(Payload.wrap(bytes(unpacker.unpackBinaryHeader())));
      case ARRAY -> items(unpacker.unpackArrayHeader(), depth);
      case MAP -> entries(unpacker.unpackMapHeader(), depth);
      case EXTENSION -> extension();
    };
  }

  private Value integer(MessageFormat format) throws IOException {
    return format == MessageFormat.UINT64
        ? Value.Int.unsigned(unpacker.unpackBigInteger().longValue())
        : Value.Int.of(unpacker.unpackLong());
  }

  private Value items(int count, int depth) throws IOException {
    checkNested(count, 1, depth);
    List<Value> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(value(depth + 1));
    }
    return new Value.Items(values);
  }

  private Value entries(int count, int depth) throws IOException {
    checkNested(count, 2, depth);
    List<Value.Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Value key = value(depth + 1);
      entries.add(new Value.Entry(key, value(depth + 1)));
    }
    return new Value.Entries(entries);
  }

  /// Each value takes a byte at least, so a count that the rest cannot hold is known to be wrong at
  /// once.
  private void checkNested(int count, int valuesEach, int depth) {
    if (depth + 1 > bounds.depth()) {
      throw damaged("nested deeper than " + bounds.depth() + " levels");
    }
    long values = (long) count * valuesEach;
    if (values > leftBytes()) {
      throw damaged("announces " + values + " values in the last " + leftBytes() + " bytes");
    }
    if (values > valuesLeft) {
      throw damaged("more than " + bounds.values() + " values");
    }
  }

  private Value extension() throws IOException {
    ExtensionTypeHeader header = unpacker.unpackExtensionTypeHeader();
    bytes(header.getLength());
    return new Value.Extension(header.getType());
  }

  private byte[] bytes(int length) throws IOException {
    if (length < 0 || length > leftBytes()) {
      throw damaged("announces " + length + " bytes where " + leftBytes() + " are left");
    }
    return unpacker.readPayload(length);
  }

  private long leftBytes() {
    return sizeBytes - unpacker.getTotalReadBytes();
  }

  private static String text(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      return ""; // as other readers of these payloads show it; the raw view has the bytes
    }
  }

  private StoreException.Invalid damaged(String why) {
    return new StoreException.Invalid(
        "msgpack decode error at byte " + unpacker.getTotalReadBytes(), why);
  }

  /// Whether `payload` begins as a map does.
  public static boolean isMap(Payload payload) {
    if (payload.sizeBytes() == 0) {
      return false;
    }
    MessageFormat format = MessageFormat.valueOf(payload.unsafeArray()[0]);
    return format == MessageFormat.FIXMAP
        || format == MessageFormat.MAP16
        || format == MessageFormat.MAP32;
  }
}
