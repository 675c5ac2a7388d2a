// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.secrets.Redaction;
import dev.varve.secrets.RedactionReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi redact`
@Command(
    name = "redact",
    description = {
      "Writes a copy of a session in which likely credentials are replaced.",
      "",
      "Ids, parents and all else stay as they are. The copy names its original by hash, and is"
          + " looked through again before it appears. The session itself is never changed."
    },
    footer = {
      "  varve pi redact session.jsonl --to clean.jsonl",
      "  varve pi redact session.jsonl --to clean.jsonl --allow no-secrets.txt --json"
    })
final class PiRedact implements Callable<Integer> {

  private final Varve varve;
  private volatile String progress = "";

  @Parameters(
      arity = "0..1",
      paramLabel = "SESSION",
      description = "A file, or an id (default: the newest session of this folder).")
  private @Nullable String session;

  @Option(
      names = "--to",
      paramLabel = "COPY",
      required = true,
      description = "Where the copy goes: a file that does not exist yet.")
  private Path copy = Path.of("");

  @Mixin private final SecretOptions options = new SecretOptions();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiRedact(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Path file = PiFiles.session(session, pi, terminal);
    RedactionReport report;
    try (Waiting _ = Waiting.on(() -> progress, terminal)) {
      report =
          Redaction.write(
              file,
              copy,
              options.rules(),
              options.allowed(),
              bytes -> progress = "read " + Words.size(bytes));
    }
    if (output.json()) {
      json(file, report).print(terminal);
    } else {
      terminal.println(
          Words.count(report.secrets(), "credential")
              + " replaced in "
              + Words.count(report.places(), "string")
              + "; looked through again: none is seen");
      warn(report, terminal);
    }
    return ExitCodes.OK;
  }

  /// Says what a redaction cannot vouch for.
  static void warn(RedactionReport report, Terminal terminal) {
    if (report.leftOutBytes() > 0) {
      terminal.say(
          Words.count(report.leftOutBytes(), "byte")
              + " of damaged lines are not in the copy: they cannot be looked through.");
    }
    if (report.scan().binaryStrings() > 0) {
      terminal.say(
          Words.count(report.scan().binaryStrings(), "run")
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
