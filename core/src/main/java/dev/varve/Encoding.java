// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The encoding of a payload as the writer declares it (spec 001, *CodecTag*). The store keeps the
/// number and never acts on the number; any number may be kept, and the named numbers are the
/// convention.
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
