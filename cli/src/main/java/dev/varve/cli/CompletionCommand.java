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

  /// Lets zsh find the script as a file `_varve` among its functions, too; and a word of bash that
  /// zsh lacks.
  private static final String ZSH_FIRST =
      """
      #compdef varve
      function compopt { :; }
      """;

  /// Zsh reads the script for bash by its own bashcompinit. As a function the script is run when it
  /// is first asked to complete, and has to answer then.
  private static final String ZSH_LAST =
      """
      if [ -n "${ZSH_VERSION-}" ] && [ "${funcstack[1]-}" = _varve ]; then
        _bash_complete -F _complete_varve
      fi
      """;

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
          case bash -> AutoComplete.bash("varve", model);
          case zsh -> ZSH_FIRST + AutoComplete.bash("varve", model) + ZSH_LAST;
          case fish -> FishCompletion.script(model);
        };
    command.terminal().printOwn(script);
    return ExitCodes.OK;
  }
}
