// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.cli.terminal.PayloadPreview;
import dev.varve.server.types.Projection;

/// The payload of a turn for people: in one line, and with msgpack as JSON.
final class TurnPreview {

  /// The largest payload that is converted for a preview.
  private static final int MSGPACK_BYTES_MAX = 1 << 20;

  private TurnPreview() {}

  /// The preview of a turn's payload, which is loaded. A damaged payload is named as such, so that
  /// it does not hide the turns around it.
  static String of(Turn turn, Store store) {
    if (turn.tombstone()) {
      return "(deleted)";
    }
    try {
      return PayloadPreview.of(readable(turn, store.get(turn.payloadHash())));
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return "(damaged)";
    }
  }

  /// The payload, or JSON in place of a msgpack map that is declared as msgpack.
  static Payload readable(Turn turn, Payload payload) {
    return turn.encoding().equals(Encoding.MSGPACK) && payload.sizeBytes() <= MSGPACK_BYTES_MAX
        ? Projection.msgpackText(payload).map(Payload::utf8).orElse(payload)
        : payload;
  }
}
