// SPDX-License-Identifier: Apache-2.0
package program;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.View;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// Appends a turn that zstd compresses to the store in a folder, opens the store again, reads the
/// turn, and prints where the class of the store comes from.
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    String text = "a turn that compresses well, ".repeat(4_000);
    ContextId context;
    try (Store store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      context = store.createContext().id();
      store.append(
          context,
          NewTurn.of(Payload.utf8(text), new DeclaredType("program.Text", 1), Encoding.JSON));
    }
    try (Store store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      Payload read = store.last(context, 1, View.LATEST).turns().getFirst().payload();
      boolean same = Payload.utf8(text).equals(read);
      Module module = LocalStore.class.getModule();
      System.out.println((same ? "read from " : "lost by ") + module);
    }
  }
}
