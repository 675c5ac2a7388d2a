// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.StoreException;

/// A client's request. `docs/protocol.md` describes the bytes of each message.
public sealed interface Request
    permits BasicRequest, StoreRequest, BlobRequest, MaintenanceRequest {

  MessageType type();

  /// The header's `flags`.
  default int flags() {
    return 0;
  }

  void write(FieldWriter out);

  /// The frame as it goes over the wire, header included; valid up to its
  /// [FieldWriter#frameBytes()].
  default FieldWriter fields(int sizeBytes) {
    FieldWriter out = new FieldWriter(sizeBytes);
    write(out);
    return out;
  }

  /// The request in a frame.
  ///
  /// @throws StoreException.Invalid if it is none
  static Request read(Frame frame) {
    MessageType type =
        MessageType.find(frame.type())
            .orElseThrow(
                () -> new StoreException.Invalid("message " + frame.type(), "unknown msg_type"));
    FieldReader in = new FieldReader(type.name(), frame.payload());
    return switch (type) {
      case HELLO,
          CTX_CREATE,
          CTX_FORK,
          GET_HEAD,
          APPEND_TURN,
          GET_LAST,
          GET_BEFORE,
          GET_RANGE_BY_DEPTH,
          GET_BLOB,
          ATTACH_FS,
          PUT_BLOB ->
          BasicRequest.read(type, frame.flags(), in);
      case OPEN,
          CONTEXT_CREATE,
          CONTEXT_DESCRIBE,
          CONTEXT_GET,
          CONTEXT_LIST,
          CONTEXTS_BELOW,
          TURN_APPEND,
          TURN_GET,
          PAGE_LAST,
          PAGE_BEFORE,
          PAGE_RANGE,
          PATH,
          ANCESTOR,
          COMMON_ANCESTOR,
          CHILD_FIND,
          TURN_PATCH,
          TURN_TOMBSTONE,
          TURN_FS_ROOT,
          OVERLAYS,
          COUNTS,
          TURN_RESTORE,
          CONTEXT_RESTORE,
          CONTEXT_MOVE -> {
        StoreRequest request = StoreRequest.read(type, in);
        in.end();
        yield request;
      }
      case BLOBS_HAS, BLOB_SIZE, BLOB_READ, BLOB_PART, BLOBS_PUT, CHUNK_LIST, BLOB_ASSEMBLE -> {
        BlobRequest request = BlobRequest.read(type, in);
        in.end();
        yield request;
      }
      case CHECK_STEP,
          BACKUP_POINT,
          BLOB_LIST,
          TURN_LIST,
          HOLD_SET,
          HOLD_RELEASE,
          HOLD_LIST,
          ERASE_PLAN,
          ERASE,
          OVERLAY_LIST,
          LAST_ERASURE -> {
        MaintenanceRequest request = MaintenanceRequest.read(type, in);
        in.end();
        yield request;
      }
      case ERROR -> throw in.invalid("unknown msg_type");
    };
  }
}
