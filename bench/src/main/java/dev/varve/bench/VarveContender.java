// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// Varve's own store, in process.
final class VarveContender implements StoreContender {

  private static final DeclaredType TYPE = new DeclaredType("bench.ToolResult", 1);

  private final Store store;
  private final ContextId[] contexts;

  VarveContender(Path folder, int callers, Durability durability) {
    store = LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(durability));
    contexts = new ContextId[callers];
    for (int i = 0; i < callers; i++) {
      contexts[i] = store.createContext().id();
    }
  }

  @Override
  public void append(int caller, byte[] payload) {
    store.append(contexts[caller], NewTurn.of(Payload.wrap(payload), TYPE, Encoding.JSON));
  }

  @Override
  public long turns() {
    return store.counts().turns();
  }

  @Override
  public void close() {
    store.close();
  }
}
