// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The command itself: what all subcommands share.
@Command(
    name = "varve",
    description = "Keeps the conversations of AI agents: every turn, every branch, stored once.")
final class Varve implements Callable<Integer> {

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
    return store != null ? store : StoreFolder.of(terminal);
  }

  /// The store, to read from or to add to. Refused if there is none.
  LocalStore openExisting() {
    return LocalStore.openExisting(storeFolder(), StoreOptions.DEFAULTS);
  }

  /// The store, made if there is none yet.
  LocalStore open() {
    return LocalStore.open(storeFolder(), StoreOptions.DEFAULTS);
  }
}
