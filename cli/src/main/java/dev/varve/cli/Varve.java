// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The command itself: what all subcommands share.
@Command(
    name = "varve",
    description = "Keeps the conversations of AI agents: every turn, every branch, stored once.")
final class Varve implements Callable<Integer> {

  /// How long a command waits for a store that another process has open, for all that take their
  /// turn before it, and how often it looks.
  private static final Duration BUSY_WAIT = Duration.ofSeconds(2);

  /// Of sessions that are published, each is read while the store is held.
  private static final Duration PUBLISHER_WAIT = Duration.ofSeconds(10);

  private static final Duration QUEUE_WAIT = Duration.ofSeconds(60);

  private static final Duration BUSY_RETRY = Duration.ofMillis(25);

  private final Terminal terminal;

  @Option(
      names = "--store",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The store's folder. Else $$VARVE_STORE, else the user's data folder.")
  private @Nullable Path store;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  @SuppressWarnings("unused") // picocli looks at the option itself
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Prints the version.")
  @SuppressWarnings("unused") // as above
  private boolean version;

  Varve(Terminal terminal) {
    this.terminal = terminal;
  }

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "No remarks, no progress; errors only.")
  void quiet(boolean value) {
    terminal.quiet(value);
  }

  /// Without a subcommand, `varve` introduces itself.
  @Override
  public Integer call() {
    return Run.of(new String[] {"--help"}, terminal);
  }

  Terminal terminal() {
    return terminal;
  }

  /// The folder that `--store` named.
  Optional<Path> namedStore() {
    return Optional.ofNullable(store);
  }

  Path storeFolder() {
    if (store != null && store.toString().isEmpty()) {
      throw new Refusal(ExitCodes.USAGE, "--store: expected a folder, found nothing", null);
    }
    return store != null ? store : StoreFolder.of(terminal);
  }

  /// The store, to read from or to add to. Refused if there is none. Where nothing can be written
  /// it can still be read.
  LocalStore openExisting() {
    Path folder = storeFolder();
    boolean readOnly = Files.isDirectory(folder) && !Files.isWritable(folder);
    return patiently(
        () ->
            readOnly
                ? LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)
                : LocalStore.openExisting(folder, StoreOptions.DEFAULTS));
  }

  /// The store for an import, made if there is none yet. Its turns are forced together when the
  /// store is closed; an import that breaks off is completed by importing again.
  LocalStore openForImport() {
    return patiently(
        () ->
            LocalStore.open(
                storeFolder(), StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM)));
  }

  /// The store, made if there is none yet.
  LocalStore open() {
    return patiently(() -> LocalStore.open(storeFolder(), StoreOptions.DEFAULTS));
  }

  /// The store, made if there is none yet, for who publishes or fetches sessions: several do that
  /// at once, and a large one takes a while.
  LocalStore openInTurn() {
    return patiently(PUBLISHER_WAIT, () -> LocalStore.open(storeFolder(), StoreOptions.DEFAULTS));
  }

  /// Most commands hold a store for a moment only, so that another waits for its turn before it is
  /// refused. Each process that has the store is waited for anew: many that start together all have
  /// their turn.
  private static LocalStore patiently(Supplier<LocalStore> opening) {
    return patiently(BUSY_WAIT, opening);
  }

  private static LocalStore patiently(Duration each, Supplier<LocalStore> opening) {
    long startNanos = System.nanoTime();
    long sinceNanos = startNanos;
    String holder = "";
    while (true) {
      try {
        return opening.get();
      } catch (StoreException.Busy e) {
        long now = System.nanoTime();
        if (!holder.equals(e.getMessage())) {
          holder = String.valueOf(e.getMessage()); // names the process, and since when
          sinceNanos = now;
        }
        if (now - sinceNanos > each.toNanos() || now - startNanos > QUEUE_WAIT.toNanos()) {
          throw e;
        }
        // Who looks too often slows the other down.
        LockSupport.parkNanos(Math.max(BUSY_RETRY.toNanos(), (now - sinceNanos) / 8));
      }
    }
  }
}
