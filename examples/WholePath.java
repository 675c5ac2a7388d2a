// SPDX-License-Identifier: Apache-2.0
//
// Build with `mvn -q -DskipTests package`, then
//   java -cp cli/target/varve.jar --enable-native-access=ALL-UNNAMED examples/WholePath.java FOLDER
// Prints:
//   {"title":"Count to 200"}
//   200 turns, 2092 bytes
//   message 100, message 200

import dev.varve.*;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// A titled conversation, read from its first turn to its last as a stream.
void main(String[] args) {
  var type = new DeclaredType("chat.Message", 1);
  try (Store store = LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS)) {
    ContextHead made = store.createContext("Count to 200");
    for (int i = 1; i <= 200; i++) {
      store.append(made.id(), NewTurn.of(Payload.utf8("message " + i), type, Encoding.RAW));
    }

    IO.println(store.get(made.about()).text());
    long bytes = store.turns(made.id(), View.HEADERS).mapToLong(Turn::payloadSizeBytes).sum();
    IO.println(store.turns(made.id()).count() + " turns, " + bytes + " bytes");
    IO.println(
        String.join(
            ", ",
            store
                .turns(made.id())
                .map(turn -> turn.payload().text())
                .filter(text -> text.endsWith("00"))
                .toList()));
  }
}
