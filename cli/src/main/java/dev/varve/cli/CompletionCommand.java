// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `varve completion`
@Command(
    name = "completion",
    description = "Prints a script that teaches a shell to complete varve's commands and options.",
    footer = {
      "  bash: eval \"$(varve completion bash)\"                in ~/.bashrc",
      "  zsh:  eval \"$(varve completion zsh)\"                 in ~/.zshrc",
      "  fish: varve completion fish > ~/.config/fish/completions/varve.fish"
    })
final class CompletionCommand implements Callable<Integer> {

  /// The shells it knows.
  enum Shell {
    bash,
    zsh,
    fish
  }

  private final CommandSession command;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  CompletionCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    CommandLine model = Objects.requireNonNull(spec).root().commandLine();
    String script =
        switch (shell) {
          case bash, zsh -> AutoComplete.bash("varve", model); // zsh reads bash's by bashcompinit
          case fish -> FishCompletion.script(model);
        };
    command.terminal().printOwn(script);
    return ExitCodes.OK;
  }
}
