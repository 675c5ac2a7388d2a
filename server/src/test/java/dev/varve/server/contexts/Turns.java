// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import java.util.HexFormat;

/// Turns as clients write them.
final class Turns {

  static final DeclaredType ITEM = new DeclaredType("cxdb.ConversationItem", 3);

  /// What typed clients of cxdb send: digits for keys, nil and empty text for what is not said. A
  /// tag, a title, two labels.
  static final String DIGITS =
      "8c a131 aa757365725f696e707574 a132 a8636f6d706c657465 a133 d30000018bcfe56800"
          + "a134 a66974656d2d31 a23130 82 a131 b348656c6c6f2066726f6d206669787475726573"
          + "a132 91 a866696c652e747874 a23131 c0 a23132 c0 a23133 c0 a23230 c0 a23231 c0 a23232 c0"
          + "a23330 85 a131 ab666978747572652d746167 a132 ad46697874757265205469746c65"
          + "a133 92 a5616c706861 a462657461 a134 81 a3656e76 a474657374 a23130 c0";

  private Turns() {}

  static Payload hex(String hex) {
    return Payload.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  static Turn append(Store store, ContextId context, String hex) {
    return store.append(context, NewTurn.of(hex(hex), ITEM, Encoding.MSGPACK));
  }

  /// A JSON turn with metadata; single quotes.
  static Turn say(Store store, ContextId context, String metadata) {
    Payload payload = Payload.utf8(("{'context_metadata':" + metadata + "}").replace('\'', '"'));
    return store.append(context, NewTurn.of(payload, ITEM, Encoding.JSON));
  }

  /// A turn that says nothing of its context.
  static Turn say(Store store, ContextId context) {
    return append(store, context, "81 01 a178");
  }
}
