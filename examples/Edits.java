// SPDX-License-Identifier: Apache-2.0
//
// Build with `mvn -q -DskipTests package`, then
//   java -cp cli/target/varve.jar --enable-native-access=ALL-UNNAMED examples/Edits.java FOLDER
// Prints:
//   now: My key is ***
//   as written: My key is 12345
//   withdrawn: true
//   before that: My key is ***

import dev.varve.*;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// Correcting and withdrawing a turn, without rewriting history.
void main(String[] args) {
  var type = new DeclaredType("chat.Message", 1);
  try (Store store = LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS)) {
    ContextId context = store.createContext().id();
    NewTurn slip = NewTurn.of(Payload.utf8("My key is 12345"), type, Encoding.RAW);
    TurnId turn = store.append(context, slip).id();

    long patch = store.patch(turn, Payload.utf8("My key is ***"));
    IO.println("now: " + store.turn(turn, View.LATEST).payload().text());
    IO.println("as written: " + store.turn(turn, View.AS_WRITTEN).payload().text());

    store.tombstone(turn);
    IO.println("withdrawn: " + store.turn(turn, View.LATEST).tombstone());
    IO.println("before that: " + store.turn(turn, View.asOf(patch)).payload().text());
  }
}
