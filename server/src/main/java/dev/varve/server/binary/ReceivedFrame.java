// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.metrics.RequestMeter;
import dev.varve.wire.Frame;
import dev.varve.wire.MessageType;
import java.util.Locale;

/// A received frame, as far as its answer and the counters need it.
///
/// @param type [MessageType#ERROR] for a number that no message has: the answer is then always an
///   error
/// @param operation its name in the metrics
/// @param readNanos when the frame was complete
/// @param bytes the number of payload bytes that were read
record ReceivedFrame(long reqId, MessageType type, String operation, long readNanos, long bytes) {

  private static final String[] OPERATIONS = new String[256];

  static {
    for (MessageType type : MessageType.values()) {
      OPERATIONS[type.number()] = type.name().toLowerCase(Locale.ROOT);
    }
    OPERATIONS[MessageType.ERROR.number()] = RequestMeter.NO_OPERATION;
  }

  static ReceivedFrame of(Frame.Header header, long bytes) {
    MessageType type = MessageType.find(header.type()).orElse(MessageType.ERROR);
    return new ReceivedFrame(
        header.reqId(), type, OPERATIONS[type.number()], System.nanoTime(), bytes);
  }
}
