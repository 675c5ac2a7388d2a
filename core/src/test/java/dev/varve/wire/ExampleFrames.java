// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.format.Example;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The frames that `docs/protocol.md` shows: a client introduces itself, makes a context, appends
/// `hello`, reads it, and asks for a context that is not there.
final class ExampleFrames {

  private ExampleFrames() {}

  static Map<String, byte[]> all() {
    Map<String, byte[]> frames = new LinkedHashMap<>();
    frames.put("A HELLO", sent(1, new BasicRequest.Hello(1, "tour", "", false)));
    frames.put(
        "Its answer", answered(1, MessageType.HELLO, new BasicResponse.Hello(1, 1, "", false)));
    frames.put("An APPEND_TURN", sent(3, append()));
    frames.put(
        "The answer to it",
        answered(
            3, MessageType.APPEND_TURN, new BasicResponse.Appended(1, 1, 0, Example.HELLO_HASH)));
    frames.put("A GET_LAST without payloads", sent(4, new BasicRequest.GetLast(1, 10, 0)));
    frames.put("The page", answered(4, MessageType.GET_LAST, page()));
    frames.put(
        "An ERROR",
        answered(
            5, MessageType.ERROR, ErrorResponse.of(new StoreException.NotFound("context", "9"))));
    return frames;
  }

  private static BasicRequest append() {
    return new BasicRequest.AppendTurn(
        1, 0, "note", 1, 1, 0, 5, Example.HELLO_HASH, Example.HELLO, Payload.EMPTY, null);
  }

  private static BasicResponse page() {
    return new BasicResponse.Turns(
        List.of(
            new BasicResponse.Item(1, 0, 0, "note", 1, 1, 0, 5, Example.HELLO_HASH, Payload.EMPTY)),
        0,
        1,
        0);
  }

  private static byte[] sent(long reqId, Request request) {
    return new Frame(
            request.type().number(), request.flags(), reqId, Messages.frame(request).payload())
        .bytes();
  }

  private static byte[] answered(long reqId, MessageType type, Response response) {
    return new Frame(type.number(), 0, reqId, Messages.frame(response, type).payload()).bytes();
  }
}
