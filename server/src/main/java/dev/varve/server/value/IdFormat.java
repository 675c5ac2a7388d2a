// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.math.BigInteger;
import tools.jackson.core.JsonGenerator;

/// The form of context, turn and session numbers: text, because not every reader has 64 bits, or
/// numbers.
public enum IdFormat {
  TEXT,
  NUMBER;

  /// Writes a member of an object.
  public void property(JsonGenerator json, String name, ContextId id) {
    property(json, name, id.value());
  }

  public void property(JsonGenerator json, String name, TurnId id) {
    property(json, name, id.value());
  }

  public void property(JsonGenerator json, String name, long id) {
    json.writeName(name);
    write(json, id);
  }

  /// Writes a value.
  public void write(JsonGenerator json, long id) {
    if (this == TEXT) {
      json.writeString(Long.toUnsignedString(id));
    } else if (id >= 0) {
      json.writeNumber(id);
    } else {
      json.writeNumber(new BigInteger(Long.toUnsignedString(id)));
    }
  }
}
