// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.EraseReceipt;
import dev.varve.cli.erase.RetentionRules;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DurationText;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.EraseReceipts;
import dev.varve.cli.terminal.HumanText;
import dev.varve.server.RetentionDuty;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option by which a service applies the rules of retention by itself.
final class RetentionOption {

  private static final Duration LEAST = Duration.ofMinutes(1);

  @Option(
      names = "--apply-retention",
      paramLabel = "EVERY",
      description = "Applies the rules of 'varve retention' each EVERY: 1d, 12h (default: never).")
  private @Nullable String every;

  /// The duty of the service; null without the option.
  ///
  /// @throws CommandException if the value is no time
  @Nullable RetentionDuty duty(CommandSession command) {
    if (every == null) {
      return null;
    }
    Duration time = DurationText.parse("--apply-retention", every);
    if (time.compareTo(LEAST) < 0) {
      throw new CommandException(
          ExitCodes.USAGE, "--apply-retention: expected 1m or more, found '" + every + "'", null);
    }
    Path folder = command.storeFolder();
    return new RetentionDuty(
        time,
        (store, now) -> RetentionRules.due(folder, store, now),
        receipt -> report(receipt, command));
  }

  private static void report(EraseReceipt receipt, CommandSession command) {
    Path file = EraseReceipts.written(command.storeFolder(), receipt);
    command
        .terminal()
        .say(
            "retention: erased "
                + HumanText.count(receipt.plan().counts().blobs(), "blob")
                + "; receipt: "
                + file);
  }
}
