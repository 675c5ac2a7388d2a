// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Runs git in one folder.
///
/// The environment is the caller's without its `GIT_*` variables, in the C locale, with no prompt,
/// no pager, no hooks and no optional locks unless [#with] gives them. What git writes to standard
/// error is kept up to a bound and never stops it.
public final class Git {

  /// The result of one run.
  ///
  /// @param err the beginning of what git said
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Output(int status, byte[] out, String err) {

    /// Standard output as text, without the line end.
    public String line() {
      return new String(out, UTF_8).strip();
    }
  }

  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int ERR_KEPT_BYTES = 8_000;

  /// A listing of some ten million files.
  private static final int OUT_BYTES_MAX = 1 << 30;

  private static final List<String> ALWAYS =
      List.of("git", "--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false");

  private final Path folder;
  private final Map<String, String> variables;

  private Git(Path folder, Map<String, String> variables) {
    this.folder = folder;
    this.variables = Map.copyOf(variables);
  }

  /// Git in a folder, as the user's own settings and that folder's repository have it.
  public static Git in(Path folder) {
    return new Git(folder, Map.of());
  }

  /// The same with these variables, which may be `GIT_…`.
  public Git with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(variables);
    all.putAll(more);
    return new Git(folder, all);
  }

  public Path folder() {
    return folder;
  }

  /// Runs git and returns its standard output.
  ///
  /// @throws StoreException.Io if it cannot be run or ends with another status than 0
  public byte[] run(String... args) {
    return demand(tryRun(new byte[0], args), args).out();
  }

  /// As [#run], with something to read.
  public byte[] feed(byte[] in, String... args) {
    return demand(tryRun(in, args), args).out();
  }

  /// As [#run], as text without the line end.
  public String line(String... args) {
    return demand(tryRun(new byte[0], args), args).line();
  }

  private Output demand(Output output, String... args) {
    if (output.status() != 0) {
      throw failed(output, args);
    }
    return output;
  }

  /// The refusal of a run that ended badly.
  public StoreException failed(Output output, String... args) {
    String said = output.err().strip();
    return new StoreException.Io(
        folder.toString(),
        "git "
            + args[0]
            + " ended with status "
            + output.status()
            + (said.isEmpty() ? "" : ": " + said),
        new IOException(said));
  }

  /// Runs git to its end, whatever its status.
  public Output tryRun(byte[] in, String... args) {
    return ended(
        in,
        stdout -> {
          byte[] out = stdout.readNBytes(OUT_BYTES_MAX);
          if (out.length == OUT_BYTES_MAX) {
            throw new StoreException.TooLarge(
                "what git " + args[0] + " prints", out.length, out.length);
          }
          return out;
        },
        args);
  }

  /// Runs git to its end and hands over each line of its standard output as it comes: a listing of
  /// any length takes no memory.
  ///
  /// @return the status, and the beginning of what git said; without output
  public Output lines(byte[] in, Consumer<String> line, String... args) {
    return ended(
        in,
        stdout -> {
          BufferedReader out = new BufferedReader(new InputStreamReader(stdout, ISO_8859_1));
          for (String each = out.readLine(); each != null; each = out.readLine()) {
            line.accept(each);
          }
          return new byte[0];
        },
        args);
  }

  @FunctionalInterface
  private interface OutputReader {

    /// Reads the standard output, and returns what is kept of it.
    byte[] read(InputStream stdout) throws IOException;
  }

  private Output ended(byte[] in, OutputReader reader, String... args) {
    Process process = start(args);
    try {
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      Thread errReader = pump(() -> drain(process.getErrorStream(), err));
      Thread writer = pump(() -> write(process.getOutputStream(), in));
      byte[] out = reader.read(process.getInputStream());
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("no end after " + PATIENCE.toMinutes() + " minutes");
      }
      errReader.join();
      writer.join();
      return new Output(process.exitValue(), out, err.toString(UTF_8));
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "git " + args[0] + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Io(
          folder.toString(), "git " + args[0] + ": interrupted", new InterruptedIOException());
    } finally {
      process.destroyForcibly();
    }
  }

  /// Starts a git that is talked to; the caller ends it.
  Process start(String... args) {
    List<String> command = new ArrayList<>(ALWAYS);
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.put("LC_ALL", "C");
    environment.put("GIT_TERMINAL_PROMPT", "0");
    environment.put("GIT_OPTIONAL_LOCKS", "0");
    environment.put("GIT_LITERAL_PATHSPECS", "1");
    environment.put("GIT_NO_REPLACE_OBJECTS", "1");
    environment.put("GIT_NO_LAZY_FETCH", "1");
    environment.putAll(variables);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "git could not be run: " + e.getMessage(), e);
    }
  }

  private static Thread pump(Runnable work) {
    return Thread.ofVirtual().name("git-stream").start(work);
  }

  /// Reads to the end, keeping the beginning only: thousands of warnings are no reason to fail.
  static void drain(InputStream stream, ByteArrayOutputStream kept) {
    Consumer<byte[]> keep =
        bytes -> kept.write(bytes, 0, Math.min(bytes.length, ERR_KEPT_BYTES - kept.size()));
    try (stream) {
      for (byte[] some = stream.readNBytes(4_096);
          some.length > 0;
          some = stream.readNBytes(4_096)) {
        keep.accept(some);
      }
    } catch (IOException e) {
      // The process is gone; its status says more.
    }
  }

  private static void write(OutputStream stream, byte[] bytes) {
    try (stream) {
      stream.write(bytes);
    } catch (IOException e) {
      // It did not want to read all of it; its status says more.
    }
  }
}
