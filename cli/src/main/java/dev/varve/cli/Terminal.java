// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Payload;
import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where a command runs: its streams, its environment, its clock. The only door to standard output
/// and error.
///
/// Text is written as UTF-8, always safe ([SafeText]); exact bytes have a method of their own.
/// Output is buffered and the end of the command flushes it.
final class Terminal {

  /// What is known of the streams before the first byte.
  ///
  /// @param command how the user calls this program
  /// @param columns width to cut long lines at
  record Facts(
      String command,
      Map<String, String> environment,
      InstantSource clock,
      ZoneId zone,
      boolean inIsTerminal,
      boolean outIsTerminal,
      boolean errIsTerminal,
      int columns) {}

  private static final int COLUMNS_DEFAULT = 100;

  /// Into a file or a pipe: room for `grep`, but not for a whole payload on one line.
  private static final int COLUMNS_UNSEEN = 200;

  private final InputStream in;
  private final OutputStream out;
  private final OutputStream err;
  private final Facts facts;
  private boolean quiet;
  private boolean outLost;

  Terminal(InputStream in, OutputStream out, OutputStream err, Facts facts) {
    this.in = in;
    this.out = new BufferedOutputStream(out, 1 << 16);
    this.err = err;
    this.facts = facts;
  }

  /// The terminal of this process. The launcher asks the system which streams are terminals and
  /// says so in `varve.terminal` (`in`, `out`, `err`); without it, Java's own answer counts.
  static Terminal ofProcess() {
    String known = System.getProperty("varve.terminal");
    boolean both =
        known == null
            && Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    Map<String, String> environment = System.getenv();
    Facts facts =
        new Facts(
            System.getProperty("varve.command", "varve"),
            environment,
            InstantSource.system(),
            ZoneId.systemDefault(),
            known == null ? both : known.contains("in"),
            known == null ? both : known.contains("out"),
            known == null ? both : known.contains("err"),
            columns(System.getProperty("varve.columns", environment.getOrDefault("COLUMNS", ""))));
    // System.out would encode, and would swallow the error that says the reader has left.
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        facts);
  }

  /// The same surroundings with other streams, none of them a terminal.
  ///
  /// @param variables of the environment that differ
  Terminal with(InputStream in, OutputStream out, OutputStream err, Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(facts.environment);
    environment.putAll(variables);
    return new Terminal(
        in,
        out,
        err,
        new Facts(
            facts.command,
            environment,
            facts.clock,
            facts.zone,
            false,
            false,
            false,
            facts.columns));
  }

  private static int columns(String text) {
    try {
      int columns = Integer.parseInt(text.strip());
      return columns < 40 || columns > 1000 ? COLUMNS_DEFAULT : columns;
    } catch (NumberFormatException e) {
      return COLUMNS_DEFAULT;
    }
  }

  // ---- results

  void println(Line line) {
    writeText(line.render(outHasColour()) + "\n");
    if (facts.outIsTerminal) {
      flush(); // somebody watches
    }
  }

  void println(String line) {
    println(Line.of(line));
  }

  /// Text of several lines, safe.
  void print(String lines) {
    writeText(SafeText.lines(lines));
  }

  /// Text that this program composed, colours and all: the help pages.
  void printOwn(String text) {
    writeText(text);
  }

  /// Exactly these bytes.
  void write(Payload bytes) {
    write(bytes.unsafeArray(), bytes.sizeBytes());
  }

  private void writeText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write(bytes, bytes.length);
  }

  private void write(byte[] bytes, int sizeBytes) {
    try {
      if (!outLost) {
        out.write(bytes, 0, sizeBytes);
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Hands over what was written so far.
  void flush() {
    try {
      if (!outLost) {
        out.flush();
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Said once: what is written later goes nowhere, so that the command can still explain itself.
  private OutputFailed lost(IOException e) {
    outLost = true;
    return new OutputFailed(e);
  }

  // ---- talk

  /// A remark; `--quiet` silences it.
  void say(String line) {
    if (!quiet) {
      complain(Line.of(line));
    }
  }

  /// What must be said even to those who want quiet.
  void complain(Line line) {
    try {
      flush(); // so that talk and results stay in order where both go to the same place
    } catch (OutputFailed e) {
      // What is about to be said is why the command ends; it keeps its own status.
    }
    talk(line.render(errHasColour()) + "\n");
  }

  /// A status in place of the one before; shown only to a person who watches.
  void status(String text) {
    if (showsStatus()) {
      talk("\r\u001b[K" + SafeText.cut(SafeText.line(text), facts.columns - 1));
    }
  }

  /// Whether [#status] shows anything.
  boolean showsStatus() {
    return facts.errIsTerminal && !quiet;
  }

  private void talk(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // Nobody listens to the talk; the result and the status still count.
    }
  }

  void quiet(boolean value) {
    quiet = value;
  }

  // ---- facts

  InputStream in() {
    return in;
  }

  boolean inIsTerminal() {
    return facts.inIsTerminal;
  }

  boolean outIsTerminal() {
    return facts.outIsTerminal;
  }

  boolean errIsTerminal() {
    return facts.errIsTerminal;
  }

  /// How wide a line of output should be at most.
  int columns() {
    return facts.outIsTerminal ? facts.columns : COLUMNS_UNSEEN;
  }

  InstantSource clock() {
    return facts.clock;
  }

  ZoneId zone() {
    return facts.zone;
  }

  /// How this command was called, to be used in suggestions.
  String command() {
    return facts.command;
  }

  /// A variable of the environment; empty if it is not set.
  String variable(String name) {
    return facts.environment.getOrDefault(name, "");
  }

  boolean outHasColour() {
    return facts.outIsTerminal && wantsColour();
  }

  boolean errHasColour() {
    return facts.errIsTerminal && wantsColour();
  }

  /// See no-color.org: any value but the empty one says no.
  private boolean wantsColour() {
    return variable("NO_COLOR").isEmpty() && !variable("TERM").equals("dumb");
  }

  /// Whether to draw with line characters rather than with ASCII.
  boolean drawsLines() {
    if (!variable("VARVE_ASCII").isEmpty()) {
      return false; // the launcher's word: it runs Java in a UTF-8 locale whatever the user's is
    }
    String locale = variable("LC_ALL");
    locale = locale.isEmpty() ? variable("LC_CTYPE") : locale;
    locale = locale.isEmpty() ? variable("LANG") : locale;
    String lower = locale.toLowerCase(Locale.ROOT);
    return lower.contains("utf-8") || lower.contains("utf8");
  }
}
