// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

/// One frame (spec 001, *FrameHeader*): 16 bytes of header, then the payload.
///
/// @param type the message's number, from 0 to 65,535; see [MessageType]
/// @param flags what the message makes of them
/// @param reqId chosen by the client, echoed by the server
/// @param payload the message
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(int type, int flags, long reqId, byte[] payload) {

  /// The number of bytes before the payload.
  public static final int HEADER_BYTES = 16;

  /// The largest payload that cxdb's clients and server take, 64 MiB.
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  /// The `flags` bit of an APPEND_TURN that brings the root of a file tree.
  public static final int FLAG_FS_ROOT = 1;

  /// The header before a payload.
  ///
  /// @param length of the payload, as declared: any number from 0 to 2^32 - 1
  public record Header(long length, int type, int flags, long reqId) {

    /// Reads the first 16 bytes of `bytes`.
    public static Header read(byte[] bytes) {
      return read(bytes, 0);
    }

    /// Reads 16 bytes from `offset` on.
    public static Header read(byte[] bytes, int offset) {
      return new Header(
          Integer.toUnsignedLong(WireNumbers.u32(bytes, offset)),
          WireNumbers.u16(bytes, offset + 4),
          WireNumbers.u16(bytes, offset + 6),
          WireNumbers.u64(bytes, offset + 8));
    }

    /// Writes 16 bytes from `offset` on.
    void write(byte[] bytes, int offset) {
      WireNumbers.u32(bytes, offset, (int) length);
      WireNumbers.u16(bytes, offset + 4, type);
      WireNumbers.u16(bytes, offset + 6, flags);
      WireNumbers.u64(bytes, offset + 8, reqId);
    }
  }

  /// The frame with its header as it goes over the wire.
  public byte[] bytes() {
    byte[] bytes = new byte[HEADER_BYTES + payload.length];
    new Header(payload.length, type, flags, reqId).write(bytes, 0);
    System.arraycopy(payload, 0, bytes, HEADER_BYTES, payload.length);
    return bytes;
  }
}
