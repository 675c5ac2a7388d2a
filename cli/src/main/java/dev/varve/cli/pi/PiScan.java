// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.imports.SourceFolder;
import dev.varve.json.JsonLine;
import dev.varve.pi.secrets.SessionScan;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.ScanReport;
import dev.varve.secrets.SecretFinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve pi scan`
@Command(
    name = "scan",
    description = {
      "Looks for likely credentials in sessions of Pi, by the rules of gitleaks.",
      "",
      "Strings are decoded before they are scanned, together with their names in JSON. No"
          + " credential is ever printed, and nothing leaves this computer."
    },
    exitCodeList = {
      " 0:no rule sees a credential",
      " 1:there is no such session",
      " 2:the request, the rules or the list is wrong",
      " 3:there are likely credentials, as reported",
      "74:a file or standard output could not be read or written"
    },
    footer = {
      "  varve pi scan                      the newest session of this folder",
      "  varve pi scan session.jsonl 01a21ebe",
      "  varve pi scan ~/.pi/agent/sessions --json",
      "  varve pi scan session.jsonl --allow no-secrets.txt"
    })
final class PiScan implements Callable<Integer> {

  private final CommandSession command;
  private volatile String progress = "";
  private int scanned;
  private long found;
  private long places;
  private long binary;
  private long raw;
  private int failed;

  @Parameters(
      arity = "0..*",
      paramLabel = "SESSION|DIR",
      description =
          "Files, ids, or folders with sessions (default: the newest session of this folder).")
  private List<String> sources = List.of();

  @Mixin private final SecretOptions options = new SecretOptions();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiScan(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    List<Path> files = files();
    RuleSet rules = options.rules();
    AllowList allowed = options.allowed();
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      for (Path file : files) {
        try {
          scan(file, rules, allowed);
          scanned++;
        } catch (StoreException.Io e) {
          failed++;
          terminal.complain(StyledLine.of("varve: " + e.getMessage()));
        }
      }
    }
    if (!output.json()) {
      report(scanned);
    }
    return failed > 0 ? ExitCodes.INPUT_OUTPUT : places > 0 ? ExitCodes.DAMAGED : ExitCodes.OK;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path source : pi.sessions(sources, Path.of(""), command.terminal())) {
      if (Files.isDirectory(source)) {
        SourceFolder folder = SourceFolder.walk(source, SourceFolder.JSON_LINES);
        folder
            .unreadable()
            .forEach(
                bad -> {
                  failed++;
                  command.terminal().complain(StyledLine.of(bad.file() + ": cannot be read"));
                });
        files.addAll(folder.files());
      } else {
        files.add(PiFiles.demandFile(source));
      }
    }
    return files;
  }

  private void scan(Path file, RuleSet rules, AllowList allowed) {
    long before = places;
    ScanReport report =
        SessionScan.of(
            file,
            rules,
            allowed,
            finding -> {
              if (output.json()) {
                json(file, finding).print(command.terminal());
              } else {
                print(file, finding, places == before);
              }
              places++;
            },
            bytes -> progress = file + ", " + HumanText.size(bytes));
    found += report.findings() > 0 ? 1 : 0;
    binary += report.binaryStrings();
    raw += report.rawPieces();
    if (output.json()) {
      new JsonLine()
          .text("file", file.toString())
          .number("findings", report.findings())
          .number("allowed", report.allowed())
          .number("strings", report.strings())
          .number("binary_strings", report.binaryStrings())
          .number("binary_bytes", report.binaryBytes())
          .number("raw_pieces", report.rawPieces())
          .print(command.terminal());
    }
  }

  private void print(Path file, SecretFinding finding, boolean first) {
    Terminal terminal = command.terminal();
    if (first) {
      terminal.status("");
      terminal.println(new StyledLine().add(StyledLine.Style.BOLD, file.toString()));
    }
    terminal.println(
        new StyledLine()
            .add("  line " + HumanText.number(finding.line()))
            .tab(14)
            .add(StyledLine.Style.RED, finding.rule())
            .tab(36)
            .add(PiFiles.line(finding.excerpt()))
            .add(StyledLine.Style.FAINT, "  (" + finding.sizeChars() + " characters)"));
    terminal.println(new StyledLine().tab(14).add(StyledLine.Style.FAINT, finding.place()));
  }

  private void report(int files) {
    Terminal terminal = command.terminal();
    terminal.println(
        places == 0
            ? "no credential seen in " + HumanText.count(files, "session")
            : HumanText.count(places, "likely credential")
                + " in "
                + HumanText.number(found)
                + " of "
                + HumanText.count(files, "session"));
    if (binary > 0) {
      terminal.say(
          HumanText.count(binary, "run") + " of base64, such as images, were not looked into.");
    }
    if (raw > 0) {
      terminal.say(
          HumanText.count(raw, "piece")
              + " could not be decoded and were looked at as they are: '"
              + terminal.command()
              + " pi doctor' explains.");
    }
  }

  private static JsonLine json(Path file, SecretFinding finding) {
    return new JsonLine()
        .text("file", file.toString())
        .number("line", finding.line())
        .text("entry_id", finding.entry().isEmpty() ? null : finding.entry())
        .text("pointer", finding.pointer())
        .bool("in_name", finding.inName())
        .text("rule", finding.rule())
        .text("excerpt", finding.excerpt())
        .number("size_chars", finding.sizeChars())
        .text("place", finding.place());
  }
}
