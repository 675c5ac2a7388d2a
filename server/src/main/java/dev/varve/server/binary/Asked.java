// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.metrics.RequestMeter;
import dev.varve.wire.Frame;
import dev.varve.wire.MessageType;
import java.util.Locale;

/// A frame that came, as far as its answer and the counters need it.
///
/// @param type [MessageType#ERROR] where no message has its number: nothing else is answered to
///   that
/// @param operation what it is counted under
/// @param readNanos when all of it had been read
/// @param bytes how much of its payload was read
record Asked(long reqId, MessageType type, String operation, long readNanos, long bytes) {

  private static final String[] OPERATIONS = new String[256];

  static {
    for (MessageType type : MessageType.values()) {
      OPERATIONS[type.number()] = type.name().toLowerCase(Locale.ROOT);
    }
    OPERATIONS[MessageType.ERROR.number()] = RequestMeter.NO_OPERATION;
  }

  static Asked of(Frame.Header header, long bytes) {
    MessageType type = MessageType.find(header.type()).orElse(MessageType.ERROR);
    return new Asked(header.reqId(), type, OPERATIONS[type.number()], System.nanoTime(), bytes);
  }
}
