// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `varve completion`
@Command(
    name = "completion",
    description = "Prints a script that teaches a shell to complete varve's commands and options.",
    footer = {
      "  bash: eval \"$(varve completion bash)\"                in ~/.bashrc",
      "  zsh:  eval \"$(varve completion zsh)\"                 in ~/.zshrc",
      "  fish: varve completion fish > ~/.config/fish/completions/varve.fish"
    })
final class Completion implements Callable<Integer> {

  /// The shells it knows.
  enum Shell {
    bash,
    zsh,
    fish
  }

  private final Varve varve;

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  Completion(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    CommandLine model = Commands.model(varve.terminal());
    String script =
        switch (shell) {
          case bash, zsh -> AutoComplete.bash("varve", model); // zsh reads bash's by bashcompinit
          case fish -> FishCompletion.script(model);
        };
    varve.terminal().printOwn(script);
    return ExitCodes.OK;
  }
}
