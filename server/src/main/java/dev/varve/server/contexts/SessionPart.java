// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The part of an agent's session that a context is, as importers describe it in the `about` blob.
///
/// @param session the context with the session's manifests, which only the contexts of the session
///   name
/// @param slot the transcript in the session: the session's own is [#OWN], the others are those of
///   its sub-agents
record SessionPart(String session, String slot) {

  static final String OWN = "main";

  private static final ValueBounds BOUNDS = new ValueBounds(32, 100_000, 1 << 20);

  /// Reads the blob; empty if it describes something else or cannot be read.
  static Optional<SessionPart> of(@Nullable BlobHash about, Store store) {
    if (about == null) {
      return Optional.empty();
    }
    try {
      return JsonReader.read(store.get(about), BOUNDS) instanceof PayloadValue.Entries members
          ? of(members)
          : Optional.empty();
    } catch (StoreException.Invalid
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  private static Optional<SessionPart> of(PayloadValue.Entries members) {
    String session = "";
    String slot = OWN;
    for (PayloadValue.Entry entry : members.entries()) {
      if (entry
          instanceof
          PayloadValue.Entry(PayloadValue.Text(String name), PayloadValue.Text(String text))) {
        session = name.equals("manifest_context") ? text : session;
        slot = name.equals("slot") ? text : slot;
      }
    }
    return session.isEmpty() ? Optional.empty() : Optional.of(new SessionPart(session, slot));
  }

  boolean isSubAgent() {
    return !slot.equals(OWN);
  }
}
