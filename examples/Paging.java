// SPDX-License-Identifier: Apache-2.0
//
// Build with `mvn -q -DskipTests package`, then
//   java -cp cli/target/varve.jar --enable-native-access=ALL-UNNAMED examples/Paging.java FOLDER
// Prints:
//   message 7, message 8, message 9
//   message 4, message 5, message 6
//   message 1, message 2, message 3
//   they part at message 4

import dev.varve.*;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// Reading a long conversation: its end, page by page towards the beginning, and where two branches
/// part.
void main(String[] args) {
  var type = new DeclaredType("chat.Message", 1);
  try (Store store = LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS)) {
    ContextId context = store.createContext().id();
    for (int i = 1; i <= 9; i++) {
      store.append(context, NewTurn.of(Payload.utf8("message " + i), type, Encoding.RAW));
    }

    TurnPage page = store.last(context, 3, View.LATEST);
    while (!page.turns().isEmpty()) {
      IO.println(String.join(", ", page.turns().stream().map(t -> t.payload().text()).toList()));
      if (page.nextCursor() == null) {
        break;
      }
      page = store.before(context, page.nextCursor(), 3, View.LATEST);
    }

    // Depth counts from 0 at the first turn.
    TurnId fourth = store.ancestor(store.head(context).head(), 3);
    ContextId branch = store.fork(fourth).id();
    store.append(branch, NewTurn.of(Payload.utf8("another way"), type, Encoding.RAW));
    TurnId parting =
        store
            .findCommonAncestor(store.head(context).head(), store.head(branch).head())
            .orElseThrow();
    IO.println("they part at " + store.turn(parting, View.LATEST).payload().text());
  }
}
