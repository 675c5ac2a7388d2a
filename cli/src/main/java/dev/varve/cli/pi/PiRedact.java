// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.secrets.RedactionReport;
import dev.varve.pi.secrets.SessionRedaction;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve pi redact`
@Command(
    name = "redact",
    description = {
      "Writes a copy of a session in which likely credentials are replaced.",
      "",
      "Ids, parents and everything else stay the same. The copy names its original by hash, and is"
          + " scanned again before it appears. The session itself is never changed."
    },
    footer = {
      "  varve pi redact session.jsonl --to clean.jsonl",
      "  varve pi redact session.jsonl --to clean.jsonl --allow no-secrets.txt --json"
    })
final class PiRedact implements Callable<Integer> {

  private final CommandSession command;
  private volatile String progress = "";

  @Mixin private final SessionArgument session = new SessionArgument();

  @Option(
      names = "--to",
      paramLabel = "COPY",
      required = true,
      description = "The copy: a file that does not exist yet.")
  private Path copy = Path.of("");

  @Mixin private final SecretOptions options = new SecretOptions();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiRedact(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Path file = session.file(pi, terminal);
    RedactionReport report;
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      report =
          SessionRedaction.write(
              file,
              copy,
              options.rules(),
              options.allowed(),
              bytes -> progress = "read " + HumanText.size(bytes));
    }
    if (output.json()) {
      json(file, report).print(terminal);
    } else {
      terminal.println(
          HumanText.count(report.secrets(), "credential")
              + " replaced in "
              + HumanText.count(report.places(), "string")
              + "; looked through again: none is seen");
      warn(report, terminal);
    }
    return ExitCodes.OK;
  }

  /// Says what a redaction cannot vouch for.
  static void warn(RedactionReport report, Terminal terminal) {
    if (report.leftOutBytes() > 0) {
      terminal.say(
          HumanText.count(report.leftOutBytes(), "byte")
              + " of damaged lines are not in the copy: they cannot be looked through.");
    }
    if (report.scan().binaryStrings() > 0) {
      terminal.say(
          HumanText.count(report.scan().binaryStrings(), "run")
              + " of base64, such as images, were kept and not looked into.");
    }
  }

  static JsonLine json(Path file, RedactionReport report) {
    return new JsonLine()
        .text("file", file.toString())
        .text("copy", report.copy().toString())
        .hash("original_hash", report.original())
        .hash("copy_hash", report.hash())
        .number("size_bytes", report.sizeBytes())
        .number("secrets", report.secrets())
        .number("places", report.places())
        .number("left_out_bytes", report.leftOutBytes())
        .number("binary_strings", report.scan().binaryStrings())
        .number("binary_bytes", report.scan().binaryBytes());
  }
}
