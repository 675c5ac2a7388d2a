// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.DeclaredType;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.imports.ManifestContext;
import java.util.Optional;

/// The contexts in which a store keeps what it knows of sessions, by the agents' names and the
/// sessions' keys.
final class SessionKeys {

  private static final DeclaredType TYPE = new DeclaredType("varve.history.key", 1);

  private SessionKeys() {}

  static Optional<ManifestContext> find(Store store, String agent, String key) {
    return ManifestContext.find(store, payload(agent, key));
  }

  static ManifestContext findOrCreate(Store store, String agent, String key) {
    return ManifestContext.findOrCreate(store, payload(agent, key), TYPE);
  }

  private static Payload payload(String agent, String key) {
    return Payload.utf8("varve.history\0" + agent + "\0" + key);
  }
}
