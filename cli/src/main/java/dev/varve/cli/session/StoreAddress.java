// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.access.DatabaseAccess;
import dev.varve.access.StoreAccess;
import dev.varve.access.StoreDriver;
import dev.varve.access.WaitingRules;
import dev.varve.cli.terminal.Terminal;
import dev.varve.hash.Blake3;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The address of a store, as `--store` and `VARVE_STORE` name a store: a folder, or a place in a
/// database.
public sealed interface StoreAddress {

  /// A store in a folder.
  record InFolder(Path folder) implements StoreAddress {

    @Override
    public StoreAccess access(WaitingRules rules) {
      return StoreAccess.of(folder, rules);
    }

    @Override
    public String shown() {
      return folder.toAbsolutePath().toString();
    }
  }

  /// A store in a database.
  ///
  /// @param address with the user and the password, if the user gave them
  /// @param shown the address without user and password
  /// @param folder what this machine keeps of the store: the search index and whatever else can be
  ///   made again
  record InDatabase(String address, String shown, Path folder) implements StoreAddress {

    @Override
    public StoreAccess access(WaitingRules rules) {
      return DatabaseAccess.of(address, folder, rules);
    }

    /// Without the password.
    @Override
    public String toString() {
      return shown;
    }
  }

  /// The store's folder, or the folder for what this machine keeps of a store in a database.
  Path folder();

  /// The address as people see the address.
  String shown();

  /// The way to the store.
  StoreAccess access(WaitingRules rules);

  /// Reads an address.
  ///
  /// @param option what named the store, for refusals
  /// @throws CommandException if the text is neither a path nor the address of a known database
  static StoreAddress parse(String option, String text, Terminal terminal) {
    if (text.isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE, option + ": expected a folder or an address, found nothing", null);
    }
    if (text.matches("[A-Za-z][A-Za-z0-9+.-]+://.*")) {
      StoreDriver driver =
          DatabaseAccess.driver(text)
              .orElseThrow(
                  () ->
                      new CommandException(
                          ExitCodes.USAGE,
                          option
                              + ": no stores at addresses that begin with "
                              + text.substring(0, text.indexOf("://") + 3),
                          "A store is a folder, postgresql://HOST/DB, or"
                              + " cassandra://HOST/KEYSPACE."));
      String shown = driver.shown(text);
      return new InDatabase(text, shown, memory(shown, terminal));
    }
    try {
      return new InFolder(Path.of(text));
    } catch (InvalidPathException e) {
      throw new CommandException(ExitCodes.USAGE, option + ": not a path: " + text, null);
    }
  }

  /// `databases/HOST-DATABASE-HASH/store` in the user's data folder: a name that a reader
  /// recognises and that no other address has.
  private static Path memory(String shown, Terminal terminal) {
    String hash = Blake3.hash(shown.getBytes(StandardCharsets.UTF_8)).toString();
    String digits = hash.replaceAll("[^0-9a-f]", "").substring(0, 8);
    String name = shown.replaceFirst("^[^:]*://", "").replaceAll("[^A-Za-z0-9._-]+", "-");
    String start = name.substring(0, Math.min(80, name.length()));
    return DataFolder.of(terminal)
        .resolve("databases")
        .resolve(start + "-" + digits)
        .resolve("store");
  }
}
