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

/// The reader of msgpack into a [PayloadValue], within [ValueBounds].
///
/// Each length is compared with the remaining bytes before memory is taken, and nesting is counted,
/// so that a payload takes no more memory than its own size and its number of values allow, and no
/// more stack than `depth` calls.
public final class MsgpackReader {

  private final MessageUnpacker unpacker;
  private final ValueBounds bounds;
  private final int sizeBytes;
  private int valuesLeft;

  private MsgpackReader(Payload payload, ValueBounds bounds) {
    this.unpacker = MessagePack.newDefaultUnpacker(payload.unsafeArray());
    this.bounds = bounds;
    this.sizeBytes = payload.sizeBytes();
    this.valuesLeft = bounds.values();
  }

  /// The first value of `payload`; bytes after it are ignored.
  ///
  /// @throws StoreException.Invalid if there is no complete value, or the value exceeds the bounds
  public static PayloadValue read(Payload payload, ValueBounds bounds) {
    return new MsgpackReader(payload, bounds).readFirst();
  }

  private PayloadValue readFirst() {
    if (sizeBytes > bounds.sizeBytes()) {
      throw new StoreException.TooLarge("msgpack", sizeBytes, bounds.sizeBytes());
    }
    try {
      return value(0);
    } catch (MessagePackException | IOException e) {
      throw damaged(e.getMessage() == null ? "cut short" : e.getMessage());
    }
  }

  /// The one value of `payload`.
  ///
  /// @throws StoreException.Invalid as [#read] does, and if bytes follow the value
  public static PayloadValue readWhole(Payload payload, ValueBounds bounds) {
    MsgpackReader reader = new MsgpackReader(payload, bounds);
    PayloadValue value = reader.readFirst();
    if (reader.leftBytes() > 0) {
      throw reader.damaged(reader.leftBytes() + " bytes follow the value");
    }
    return value;
  }

  private PayloadValue value(int depth) throws IOException {
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
        yield PayloadValue.Nil.NIL;
      }
      case BOOLEAN -> new PayloadValue.Bool(unpacker.unpackBoolean());
      case INTEGER -> integer(format);
      case FLOAT -> new PayloadValue.Real(unpacker.unpackDouble());
      case STRING -> new PayloadValue.Text(text(bytes(unpacker.unpackRawStringHeader())));
      case BINARY -> new PayloadValue.Bytes(Payload.wrap(bytes(unpacker.unpackBinaryHeader())));
      case ARRAY -> items(unpacker.unpackArrayHeader(), depth);
      case MAP -> entries(unpacker.unpackMapHeader(), depth);
      case EXTENSION -> extension();
    };
  }

  private PayloadValue integer(MessageFormat format) throws IOException {
    return format == MessageFormat.UINT64
        ? PayloadValue.Int.unsigned(unpacker.unpackBigInteger().longValue())
        : PayloadValue.Int.of(unpacker.unpackLong());
  }

  private PayloadValue items(int count, int depth) throws IOException {
    checkNested(count, 1, depth);
    List<PayloadValue> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(value(depth + 1));
    }
    return new PayloadValue.Items(values);
  }

  private PayloadValue entries(int count, int depth) throws IOException {
    checkNested(count, 2, depth);
    List<PayloadValue.Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      PayloadValue key = value(depth + 1);
      entries.add(new PayloadValue.Entry(key, value(depth + 1)));
    }
    return new PayloadValue.Entries(entries);
  }

  /// Refuses a count that the remaining bytes cannot hold: each value takes at least one byte.
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

  private PayloadValue extension() throws IOException {
    ExtensionTypeHeader header = unpacker.unpackExtensionTypeHeader();
    bytes(header.getLength());
    return new PayloadValue.Extension(header.getType());
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
      return ""; // as other readers of these payloads do; the raw view has the bytes
    }
  }

  private StoreException.Invalid damaged(String why) {
    return new StoreException.Invalid(
        "msgpack decode error at byte " + unpacker.getTotalReadBytes(), why);
  }

  /// Returns whether `payload` begins with a map.
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
