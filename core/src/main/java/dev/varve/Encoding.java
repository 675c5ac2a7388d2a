// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// How the writer says a payload is encoded (spec 001, *CodecTag*). The store keeps the number and
/// never acts on it; any number may be kept, the named ones are the convention.
public record Encoding(int tag) {
  public static final Encoding UNKNOWN = new Encoding(0);
  public static final Encoding MSGPACK = new Encoding(1);
  public static final Encoding JSON = new Encoding(2);
  public static final Encoding CBOR = new Encoding(3);
  public static final Encoding PROTOBUF = new Encoding(4);
  public static final Encoding FLATBUFFERS = new Encoding(5);
  public static final Encoding CAPNP = new Encoding(6);
  public static final Encoding GOB = new Encoding(7);
  public static final Encoding RAW = new Encoding(255);

  @Override
  public String toString() {
    return switch (tag) {
      case 0 -> "unknown";
      case 1 -> "msgpack";
      case 2 -> "json";
      case 3 -> "cbor";
      case 4 -> "protobuf";
      case 5 -> "flatbuffers";
      case 6 -> "capnp";
      case 7 -> "gob";
      case 255 -> "raw";
      default -> "encoding-" + Integer.toUnsignedString(tag);
    };
  }
}
