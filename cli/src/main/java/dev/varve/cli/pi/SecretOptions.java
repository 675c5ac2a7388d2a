// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.RuleSet;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// By which rules credentials are looked for, and what is none.
final class SecretOptions {

  @Option(
      names = "--allow",
      paramLabel = "LIST",
      description = "A file that lists what is not a credential.")
  private @Nullable Path allow;

  @Option(
      names = "--rules",
      paramLabel = "RULES",
      description = "Rules in gitleaks' format, instead of those that come with Varve.")
  private @Nullable Path rules;

  RuleSet rules() {
    return rules == null ? RuleSet.builtIn() : RuleSet.of(demanded(rules));
  }

  AllowList allowed() {
    return allow == null ? AllowList.EMPTY : AllowList.of(demanded(allow));
  }

  private static Path demanded(Path file) {
    if (!Files.exists(file)) {
      throw new CommandException(ExitCodes.NOT_FOUND, file + ": no such file", null);
    }
    return file;
  }
}
