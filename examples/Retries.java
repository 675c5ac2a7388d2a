// SPDX-License-Identifier: Apache-2.0
//
// Build with `mvn -q -DskipTests package`, then
//   java -cp cli/target/varve.jar --enable-native-access=ALL-UNNAMED examples/Retries.java FOLDER
// Prints:
//   retried: still turn 1
//   the head moved: turn 2 is the last one
//   turn 3 follows turn 2

import dev.varve.*;
import dev.varve.local.LocalStore;
import java.nio.file.Path;

/// Two writers of one conversation, and a writer who does not know whether its append arrived.
void main(String[] args) {
  var type = new DeclaredType("chat.Message", 1);
  try (Store store = LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS)) {
    ContextId context = store.createContext().id();

    // A key makes an append safe to repeat: the second try answers the first one's turn.
    NewTurn question =
        NewTurn.of(Payload.utf8("What is a varve?"), type, Encoding.RAW)
            .withKey(IdempotencyKey.of("request 7f3a"));
    Turn first = store.append(context, question);
    Turn again = store.append(context, question);
    IO.println("retried: still turn " + again.id());

    // Somebody else was faster: an append that names the head it has seen is refused, and can look.
    store.append(context, NewTurn.of(Payload.utf8("A layer a year."), type, Encoding.RAW));
    NewTurn answer = NewTurn.of(Payload.utf8("A page in a diary."), type, Encoding.RAW);
    try {
      store.append(context, answer.withExpectedHead(first.id()));
    } catch (StoreException.Conflict refused) {
      TurnId head = store.head(context).head();
      IO.println("the head moved: turn " + head + " is the last one");
      Turn third = store.append(context, answer.withExpectedHead(head));
      IO.println("turn " + third.id() + " follows turn " + third.parent());
    }
  }
}
