// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.StoreException;

/// A server's answer. `docs/protocol.md` describes the bytes of each message.
///
/// A response has its request's number and `req_id`; an [ErrorResponse] has the request's `req_id`
/// and the number 255.
public sealed interface Response
    permits BasicResponse, StoreResponse, MaintenanceResponse, ErrorResponse {

  void write(FieldWriter out);

  /// About how many bytes [#write] will write.
  default int sizeBytes() {
    return 96;
  }

  /// The answer in a frame.
  ///
  /// @param asked what was asked; not looked at if the frame is an ERROR
  /// @throws StoreException.Invalid if it is no answer to that
  static Response read(Request asked, Frame frame) {
    if (frame.type() == MessageType.ERROR.number()) {
      return ErrorResponse.read(new FieldReader("ERROR", frame.payload()));
    }
    FieldReader in = new FieldReader("answer to " + asked.type(), frame.payload());
    if (frame.type() != asked.type().number()) {
      throw in.invalid("expected message " + asked.type().number() + ", found " + frame.type());
    }
    return switch (asked) {
      case BasicRequest basic -> BasicResponse.read(basic, in);
      case StoreRequest _, BlobRequest _ -> {
        StoreResponse response = StoreResponse.read(asked.type(), in);
        in.end();
        yield response;
      }
      case MaintenanceRequest _ -> {
        MaintenanceResponse response = MaintenanceResponse.read(asked.type(), in);
        in.end();
        yield response;
      }
    };
  }
}
