// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import dev.varve.Payload;
import dev.varve.json.JsonLine;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The surroundings of a command: its streams, its environment, its clock. Nothing else writes to
/// standard output or standard error.
///
/// Text is written as UTF-8, always safe ([SafeText]); exact bytes have a method of their own.
/// Output is buffered and the end of the command flushes it.
public final class Terminal implements JsonLine.Output {

  /// The facts about the streams and the process that are known before the first byte.
  ///
  /// @param command how the user calls this program
  /// @param columns width to cut long lines at
  public record Surroundings(
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
  private final Surroundings surroundings;
  private boolean quiet;
  private boolean outLost;

  public Terminal(InputStream in, OutputStream out, OutputStream err, Surroundings surroundings) {
    this.in = in;
    this.out = new BufferedOutputStream(out, 1 << 16);
    this.err = err;
    this.surroundings = surroundings;
  }

  /// The terminal of this process. The launcher asks the system which streams are terminals and
  /// says so in `varve.terminal` (`in`, `out`, `err`); without it, Java's own answer counts.
  public static Terminal ofProcess() {
    String known = System.getProperty("varve.terminal");
    boolean both =
        known == null
            && Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    Map<String, String> environment = System.getenv();
    Surroundings surroundings =
        new Surroundings(
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
        surroundings);
  }

  /// The same surroundings with other streams, none of them a terminal.
  ///
  /// @param variables of the environment that differ
  public Terminal with(
      InputStream in, OutputStream out, OutputStream err, Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(surroundings.environment);
    environment.putAll(variables);
    return new Terminal(
        in,
        out,
        err,
        new Surroundings(
            surroundings.command,
            environment,
            surroundings.clock,
            surroundings.zone,
            false,
            false,
            false,
            surroundings.columns));
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

  public void println(StyledLine line) {
    writeText(own(line.render(outHasColour())) + "\n");
    if (surroundings.outIsTerminal) {
      flush(); // somebody watches
    }
  }

  @Override
  public void println(String line) {
    println(StyledLine.of(line));
  }

  /// Text of several lines, safe.
  public void print(String lines) {
    writeText(SafeText.lines(lines));
  }

  /// Text that this program composed, colours and all: the help pages.
  public void printOwn(String text) {
    writeText(text);
  }

  /// Exactly these bytes.
  public void write(Payload bytes) {
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
  public void flush() {
    try {
      if (!outLost) {
        out.flush();
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Reported once. Later output is dropped, so that the command can still explain itself.
  private OutputFailure lost(IOException e) {
    outLost = true;
    return new OutputFailure(e);
  }

  // ---- talk

  /// A remark; `--quiet` silences it.
  public void say(String line) {
    if (!quiet) {
      complain(StyledLine.of(line));
    }
  }

  /// A message that `--quiet` does not silence.
  public void complain(StyledLine line) {
    try {
      flush(); // so that talk and results stay in order where both go to the same place
    } catch (OutputFailure e) {
      // What is about to be said is why the command ends; it keeps its own status.
    }
    talk(own(MessageForm.of(line.render(errHasColour()))) + "\n");
  }

  /// A line on standard output that counts what was done, for people. `--quiet` silences it, and
  /// programs read the same in JSON.
  public void report(StyledLine line) {
    if (!quiet) {
      println(line);
    }
  }

  /// The same of a line without colours.
  public void report(String line) {
    report(StyledLine.of(line));
  }

  /// Returns whether remarks are silenced.
  public boolean isQuiet() {
    return quiet;
  }

  /// Lines that have their form already, each with its line feed. `--quiet` does not silence them.
  public void talkLines(String lines) {
    talk(lines);
  }

  /// A status in place of the status before; shown only where standard error is a terminal.
  public void status(String text) {
    if (showsStatus()) {
      talk("\r\u001b[K" + own(SafeText.cut(SafeText.line(text), surroundings.columns - 1)));
    }
  }

  /// Returns whether [#status] shows anything.
  boolean showsStatus() {
    return surroundings.errIsTerminal && !quiet;
  }

  /// A line without the ellipses of this program where the user's terminal shows ASCII only.
  private String own(String line) {
    return variable("VARVE_ASCII").isEmpty() ? line : line.replace(" …", " ...").replace('…', '~');
  }

  private void talk(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // Nobody listens to the talk; the result and the status still count.
    }
  }

  public void quiet(boolean value) {
    quiet = value;
  }

  // ---- surroundings

  public InputStream in() {
    return in;
  }

  public boolean inIsTerminal() {
    return surroundings.inIsTerminal;
  }

  public boolean outIsTerminal() {
    return surroundings.outIsTerminal;
  }

  public boolean errIsTerminal() {
    return surroundings.errIsTerminal;
  }

  /// The width that a line of output should not exceed.
  public int columns() {
    return surroundings.outIsTerminal ? surroundings.columns : COLUMNS_UNSEEN;
  }

  public InstantSource clock() {
    return surroundings.clock;
  }

  public ZoneId zone() {
    return surroundings.zone;
  }

  /// The name that this command was called by, for suggestions.
  public String command() {
    return surroundings.command;
  }

  /// A variable of the environment; empty if it is not set.
  public String variable(String name) {
    return surroundings.environment.getOrDefault(name, "");
  }

  /// The names of the environment's variables that begin with `prefix`, sorted.
  public List<String> variablesFrom(String prefix) {
    return surroundings.environment.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .toList();
  }

  public boolean outHasColour() {
    return surroundings.outIsTerminal && wantsColour();
  }

  boolean errHasColour() {
    return surroundings.errIsTerminal && wantsColour();
  }

  /// See no-color.org: any value but the empty one says no.
  private boolean wantsColour() {
    return variable("NO_COLOR").isEmpty() && !variable("TERM").equals("dumb");
  }

  /// Returns whether to draw with line characters rather than with ASCII.
  public boolean drawsLines() {
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
