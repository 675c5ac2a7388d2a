// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One call of the command in this JVM. Runs at 2026-01-05 12:00 UTC, on no terminal unless told
/// otherwise.
public final class Call {

  public static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

  /// What came of it.
  public record Result(int status, byte[] bytes, String err) {
    public String out() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    public List<String> lines() {
      return out().lines().toList();
    }
  }

  private final Map<String, String> environment = new HashMap<>(Map.of("LANG", "C.UTF-8"));
  private InputStream input = InputStream.nullInputStream();
  private boolean terminal;
  private int columns = 100;
  private OutputStream out = new ByteArrayOutputStream();

  public static Result varve(Path store, String... args) {
    return new Call().on(store, args);
  }

  /// A terminal where nobody is.
  public static Terminal terminal() {
    return new Terminal(
        InputStream.nullInputStream(),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        new Terminal.Surroundings(
            "varve", Map.of(), InstantSource.fixed(NOW), ZoneOffset.UTC, false, false, false, 100));
  }

  public Call with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  public Call input(byte[] bytes) {
    return input(new ByteArrayInputStream(bytes));
  }

  public Call input(String text) {
    return input(text.getBytes(StandardCharsets.UTF_8));
  }

  public Call input(InputStream stream) {
    input = stream;
    return this;
  }

  public Call atTerminal(int width) {
    terminal = true;
    columns = width;
    return this;
  }

  Call to(OutputStream stream) {
    out = stream;
    return this;
  }

  /// Runs it on the store in `store`.
  public Result on(Path store, String... args) {
    return with("VARVE_STORE", store.toString()).run(args);
  }

  public Result run(String... args) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal.Surroundings surroundings =
        new Terminal.Surroundings(
            "varve",
            environment,
            InstantSource.fixed(NOW),
            ZoneOffset.UTC,
            terminal,
            terminal,
            terminal,
            columns);
    int status = Main.run(args, new Terminal(input, out, err, surroundings));
    byte[] bytes = out instanceof ByteArrayOutputStream kept ? kept.toByteArray() : new byte[0];
    return new Result(status, bytes, err.toString(StandardCharsets.UTF_8));
  }
}
