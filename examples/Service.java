// SPDX-License-Identifier: Apache-2.0
//
// Build with `mvn -q -DskipTests package`, then
//   java -cp cli/target/varve.jar --enable-native-access=ALL-UNNAMED examples/Service.java 9009
// Prints:
//   hello over a socket
//   stored once: true

import dev.varve.*;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import java.net.InetSocketAddress;

/// The same store, held by a service: `./varve serve` on this machine.
void main(String[] args) {
  var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
  var type = new DeclaredType("chat.Message", 1);
  try (Store store = RemoteStore.connect(address, RemoteOptions.DEFAULTS)) {
    ContextId context = store.createContext().id();
    Payload payload = Payload.utf8("hello over a socket");
    store.append(context, NewTurn.of(payload, type, Encoding.RAW));
    IO.println(store.last(context, 1, View.LATEST).turns().getFirst().payload().text());
    BlobHash hash = store.last(context, 1, View.LATEST).turns().getFirst().payloadHash();
    IO.println("stored once: " + store.put(payload).equals(hash));
  }
}
