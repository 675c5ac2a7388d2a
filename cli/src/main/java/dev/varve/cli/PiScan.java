// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.pi.SessionFolder;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.ScanReport;
import dev.varve.secrets.SessionScan;
import dev.varve.secrets.Sighting;
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
      "Strings are looked at decoded, with the names that they have in JSON. No credential is ever"
          + " printed, and nothing leaves this computer."
    },
    exitCodeList = {
      " 0:no rule sees a credential",
      " 1:there is no such session",
      " 2:the request, the rules or the list is wrong",
      " 3:there are likely credentials, as told",
      "74:a file or standard output could not be read or written"
    },
    footer = {
      "  varve pi scan                      the newest session of this folder",
      "  varve pi scan session.jsonl 01a21ebe",
      "  varve pi scan ~/.pi/agent/sessions --json",
      "  varve pi scan session.jsonl --allow no-secrets.txt"
    })
final class PiScan implements Callable<Integer> {

  private final Varve varve;
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

  PiScan(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    List<Path> files = files();
    RuleSet rules = options.rules();
    AllowList allowed = options.allowed();
    try (Waiting _ = Waiting.on(() -> progress, terminal)) {
      for (Path file : files) {
        try {
          scan(file, rules, allowed);
          scanned++;
        } catch (StoreException.Io e) {
          failed++;
          terminal.complain(Line.of("varve: " + e.getMessage()));
        }
      }
    }
    if (!output.json()) {
      tell(scanned);
    }
    return failed > 0 ? ExitCodes.INPUT_OUTPUT : places > 0 ? ExitCodes.DAMAGED : ExitCodes.OK;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path source : pi.sessions(sources, Path.of(""), varve.terminal())) {
      if (Files.isDirectory(source)) {
        SessionFolder folder = SessionFolder.walk(source);
        folder
            .unreadable()
            .forEach(
                bad -> {
                  failed++;
                  varve.terminal().complain(Line.of(bad.file() + ": cannot be read"));
                });
        files.addAll(folder.sessions());
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
            sighting -> {
              if (output.json()) {
                json(file, sighting).print(varve.terminal());
              } else {
                print(file, sighting, places == before);
              }
              places++;
            },
            bytes -> progress = file + ", " + Words.size(bytes));
    found += report.sightings() > 0 ? 1 : 0;
    binary += report.binaryStrings();
    raw += report.rawPieces();
    if (output.json()) {
      new JsonLine()
          .text("file", file.toString())
          .number("sightings", report.sightings())
          .number("allowed", report.allowed())
          .number("strings", report.strings())
          .number("binary_strings", report.binaryStrings())
          .number("binary_bytes", report.binaryBytes())
          .number("raw_pieces", report.rawPieces())
          .print(varve.terminal());
    }
  }

  private void print(Path file, Sighting sighting, boolean first) {
    Terminal terminal = varve.terminal();
    if (first) {
      terminal.status("");
      terminal.println(new Line().add(Line.Style.BOLD, file.toString()));
    }
    terminal.println(
        new Line()
            .add("  line " + Words.number(sighting.line()))
            .tab(14)
            .add(Line.Style.RED, sighting.rule())
            .tab(36)
            .add(PiFiles.line(sighting.excerpt()))
            .add(Line.Style.FAINT, "  (" + sighting.sizeChars() + " characters)"));
    terminal.println(new Line().tab(14).add(Line.Style.FAINT, sighting.place()));
  }

  private void tell(int files) {
    Terminal terminal = varve.terminal();
    terminal.println(
        places == 0
            ? "no credential seen in " + Words.count(files, "session")
            : Words.count(places, "likely credential")
                + " in "
                + Words.number(found)
                + " of "
                + Words.count(files, "session"));
    if (binary > 0) {
      terminal.say(
          Words.count(binary, "run") + " of base64, such as images, were not looked into.");
    }
    if (raw > 0) {
      terminal.say(
          Words.count(raw, "piece")
              + " could not be decoded and were looked at as they are: '"
              + terminal.command()
              + " pi doctor' explains.");
    }
  }

  private static JsonLine json(Path file, Sighting sighting) {
    return new JsonLine()
        .text("file", file.toString())
        .number("line", sighting.line())
        .text("entry_id", sighting.entry().isEmpty() ? null : sighting.entry())
        .text("pointer", sighting.pointer())
        .bool("in_name", sighting.inName())
        .text("rule", sighting.rule())
        .text("excerpt", sighting.excerpt())
        .number("size_chars", sighting.sizeChars())
        .text("place", sighting.place());
  }
}
