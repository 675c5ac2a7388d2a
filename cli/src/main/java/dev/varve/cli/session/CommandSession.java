// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.BulkStore;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.cli.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The session of one call of `varve`: its terminal, and the store that the call is about. Each
/// command gets one when the command is made; the options of the command line fill it in before the
/// command runs.
public final class CommandSession {

  private final Terminal terminal;
  private @Nullable String store;

  public CommandSession(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Takes the value of `--store`.
  public void nameStore(String text) {
    store = text;
  }

  public Terminal terminal() {
    return terminal;
  }

  /// The address that `--store` named.
  public Optional<StoreAddress> namedStore() {
    return Optional.ofNullable(store).map(text -> StoreAddress.parse("--store", text, terminal));
  }

  /// The address that `--store` named, else `VARVE_STORE`, else the folder `store` of the user's
  /// data.
  ///
  /// @throws CommandException if the folder is another user's and the command root's
  public StoreAddress address() {
    String variable = terminal.variable("VARVE_STORE");
    StoreAddress address =
        namedStore()
            .orElseGet(
                () ->
                    variable.isEmpty()
                        ? new StoreAddress.InFolder(DataFolder.of(terminal).resolve("store"))
                        : StoreAddress.parse("VARVE_STORE", variable, terminal));
    FolderOwner.demandOwn(address.folder(), terminal);
    return address;
  }

  /// The store's folder, or the folder for what this machine keeps of a store in a database.
  public Path storeFolder() {
    return address().folder();
  }

  /// The folder of a store that is in a folder.
  ///
  /// @throws CommandException if the store is in a database
  public Path requireFolder() {
    return requireFolder(address());
  }

  /// The folder of a store that is in a folder.
  ///
  /// @throws CommandException if the store is in a database
  public static Path requireFolder(StoreAddress address) {
    return switch (address) {
      case StoreAddress.InFolder(Path folder) -> folder;
      case StoreAddress.InDatabase database ->
          throw new CommandException(
              ExitCodes.USAGE,
              "this needs a store in a folder, found " + database.shown(),
              "'varve copy' makes a store in a folder of a store in a database.");
    };
  }

  /// The way to the store. Who waits for another program says so at a terminal.
  public StoreAccess access() {
    return accessTo(address());
  }

  /// The way to the store at another address.
  ///
  /// @throws CommandException if the folder is another user's and the command root's
  public StoreAccess accessTo(StoreAddress address) {
    FolderOwner.demandOwn(address.folder(), terminal);
    return address.access(
        waitingRules().withListener(holder -> terminal.status("waiting for " + holder + " …")));
  }

  private WaitingRules waitingRules() {
    String seconds = terminal.variable("VARVE_WAIT");
    if (seconds.isEmpty()) {
      return WaitingRules.DEFAULTS;
    }
    if (!seconds.matches("[0-9]{1,6}")) {
      throw new CommandException(
          ExitCodes.USAGE, "VARVE_WAIT: expected seconds, found '" + seconds + "'", null);
    }
    return WaitingRules.DEFAULTS.withEach(Duration.ofSeconds(Long.parseLong(seconds)));
  }

  /// The store, to read from or to add to. Refused if there is none.
  public BulkStore openExisting() {
    return withoutStatus(access().openExisting());
  }

  /// The store for an import, made if there is none yet.
  public BulkStore openForImport() {
    return withoutStatus(access().openForImport());
  }

  /// The store for an import that other imports do not wait for, made if there is none yet.
  public BulkStore openBesideImports() {
    return withoutStatus(access().openBesideImports());
  }

  /// The store, made if there is none yet.
  public BulkStore open() {
    return withoutStatus(access().open());
  }

  private BulkStore withoutStatus(BulkStore store) {
    terminal.status(""); // nobody is waited for any more
    return store;
  }
}
