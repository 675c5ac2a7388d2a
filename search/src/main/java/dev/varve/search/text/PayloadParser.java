// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import dev.varve.Encoding;
import dev.varve.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// The reading of a payload into a [PayloadNode]: JSON or msgpack.
///
/// A payload is in memory already, so a string may be as long as the payload. Values nested deeper
/// than [#DEPTH_MAX] and values beyond [#VALUES_MAX] are left out.
final class PayloadParser {

  static final int DEPTH_MAX = 64;
  static final int VALUES_MAX = 100_000;

  private static final int SIZE_BYTES_MAX = 256 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(10_000)
                  .maxStringLength(SIZE_BYTES_MAX)
                  .maxNameLength(1 << 20)
                  .maxNumberLength(1 << 20)
                  .build())
          .build();

  private int valuesLeft = VALUES_MAX;

  private PayloadParser() {}

  /// Reads a payload that is one JSON value or one msgpack map; empty if it is neither.
  static Optional<PayloadNode> read(Payload payload, Encoding encoding) {
    if (payload.sizeBytes() == 0 || payload.sizeBytes() > SIZE_BYTES_MAX) {
      return Optional.empty();
    }
    byte[] bytes = payload.unsafeArray();
    if (looksLikeJson(bytes)) {
      return new PayloadParser().json(bytes);
    }
    boolean mayBeMsgpack = encoding.equals(Encoding.MSGPACK) || encoding.equals(Encoding.UNKNOWN);
    int first = bytes[0] & 0xff;
    boolean isMap = (first & 0xf0) == 0x80 || first == 0xde || first == 0xdf;
    return mayBeMsgpack && isMap ? new PayloadParser().msgpack(bytes) : Optional.empty();
  }

  private static boolean looksLikeJson(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return b == '{' || b == '[';
      }
    }
    return false;
  }

  /// A JSON text that stands in a string of its own, as the arguments of some calls do.
  static Optional<PayloadNode> nested(String text) {
    String start = text.stripLeading();
    if (!start.startsWith("{") && !start.startsWith("[")) {
      return Optional.empty();
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      return new PayloadParser().whole(parser);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private Optional<PayloadNode> json(byte[] bytes) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      return whole(parser);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private Optional<PayloadNode> whole(JsonParser parser) {
    parser.nextToken();
    PayloadNode value = value(parser, 0);
    return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
  }

  private boolean isTooMuch(int depth) {
    return depth > DEPTH_MAX || --valuesLeft < 0;
  }

  private PayloadNode value(JsonParser parser, int depth) {
    if (isTooMuch(depth)) {
      parser.skipChildren();
      return PayloadNode.NOTHING;
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, PayloadNode> members = PayloadNode.noMembers();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser, depth + 1));
        }
        yield new PayloadNode("", false, members, List.of());
      }
      case START_ARRAY -> {
        List<PayloadNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser, depth + 1));
        }
        yield new PayloadNode("", false, Map.of(), items);
      }
      case VALUE_STRING -> PayloadNode.ofString(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          PayloadNode.ofScalar(parser.getString());
      default -> PayloadNode.NOTHING;
    };
  }

  private Optional<PayloadNode> msgpack(byte[] bytes) {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
      return Optional.of(value(unpacker, bytes.length, 0));
    } catch (MessagePackException | IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private PayloadNode value(MessageUnpacker unpacker, int sizeBytes, int depth) throws IOException {
    if (isTooMuch(depth)) {
      unpacker.skipValue();
      return PayloadNode.NOTHING;
    }
    MessageFormat format = unpacker.getNextFormat();
    return switch (format.getValueType()) {
      case MAP -> {
        Map<String, PayloadNode> members = PayloadNode.noMembers();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
          PayloadNode key = value(unpacker, sizeBytes, depth + 1);
          members.put(key.text(), value(unpacker, sizeBytes, depth + 1));
        }
        yield new PayloadNode("", false, members, List.of());
      }
      case ARRAY -> {
        List<PayloadNode> items = new ArrayList<>();
        for (int left = unpacker.unpackArrayHeader(); left > 0; left--) {
          items.add(value(unpacker, sizeBytes, depth + 1));
        }
        yield new PayloadNode("", false, Map.of(), items);
      }
      case STRING -> {
        int length = unpacker.unpackRawStringHeader();
        if (length > sizeBytes - unpacker.getTotalReadBytes()) {
          throw new IOException("a string of " + length + " bytes");
        }
        yield PayloadNode.ofString(
            new String(unpacker.readPayload(length), StandardCharsets.UTF_8));
      }
      case INTEGER -> PayloadNode.ofScalar(unpacker.unpackBigInteger().toString());
      case BOOLEAN -> PayloadNode.ofScalar(Boolean.toString(unpacker.unpackBoolean()));
      default -> {
        unpacker.skipValue();
        yield PayloadNode.NOTHING;
      }
    };
  }
}
