// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `varve` itself, with the options that every subcommand takes. Without a subcommand, `varve`
/// introduces itself.
@Command(
    name = "varve",
    description = "Keeps the conversations of AI agents: every turn, every branch, stored once.")
final class RootCommand implements Callable<Integer> {

  private final CommandSession session;

  @Option(
      names = {"-h", "--help"},
      order = 1,
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  @SuppressWarnings("unused") // picocli looks at the option itself
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-V", "--version"},
      order = 2,
      versionHelp = true,
      description = "Prints the version.")
  @SuppressWarnings("unused") // as above
  private boolean version;

  RootCommand(CommandSession session) {
    this.session = session;
  }

  @Option(
      names = "--store",
      order = 0,
      paramLabel = "STORE",
      scope = ScopeType.INHERIT,
      description = "A folder, or postgresql://HOST/DB. Else $$VARVE_STORE, else the data folder.")
  void store(String address) {
    session.nameStore(address);
  }

  @Option(
      names = {"-q", "--quiet"},
      order = 3,
      scope = ScopeType.INHERIT,
      description = "No remarks, no progress; errors only.")
  void quiet(boolean value) {
    session.terminal().quiet(value);
  }

  @Override
  public Integer call() {
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    command.usage(command.getOut());
    return ExitCodes.OK;
  }
}
