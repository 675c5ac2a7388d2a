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
  private @Nullable Path store;

  public CommandSession(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Takes the value of `--store`.
  public void nameStore(Path folder) {
    store = folder;
  }

  public Terminal terminal() {
    return terminal;
  }

  /// The folder that `--store` named.
  public Optional<Path> namedStore() {
    return Optional.ofNullable(store);
  }

  public Path storeFolder() {
    if (store != null && store.toString().isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE, "--store: expected a folder, found nothing", null);
    }
    return store != null ? store : StoreFolder.of(terminal);
  }

  /// The way to the store. Who waits for another program says so at a terminal.
  public StoreAccess access() {
    return accessTo(storeFolder());
  }

  /// The way to the store in another folder.
  public StoreAccess accessTo(Path folder) {
    return StoreAccess.of(
        folder,
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

  /// The store, made if there is none yet.
  public BulkStore open() {
    return withoutStatus(access().open());
  }

  private BulkStore withoutStatus(BulkStore store) {
    terminal.status(""); // nobody is waited for any more
    return store;
  }
}
