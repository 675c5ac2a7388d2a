// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/// Serves a folder on a port until its standard input ends: what scripts and clients in other
/// languages are tried against.
///
/// Arguments: folder, port (0 for any), and `system` for appends that are not forced. Prints the
/// port.
public final class ServeFolder {

  private ServeFolder() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Durability durability =
        args.length > 2 && args[2].equals("system")
            ? Durability.LET_THE_SYSTEM
            : Durability.FORCE_GROUPED;
    try (LocalStore store =
            LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS.withDurability(durability));
        BinaryPort port =
            BinaryPort.open(store, new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])))) {
      System.out.println(port.address().getPort());
      while (System.in.read() >= 0) {
        continue;
      }
    }
  }
}
