// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The `git` command, used for queries only: no call here runs a hook, fetches, or takes a lock.
final class GitQueries {

  /// Git could not be run, or answered with an error.
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message);
    }
  }

  private static final int ANSWER_BYTES_MAX = 256 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Path folder;
  private final BooleanSupplier stop;

  /// @param stop once it says yes, git is ended, and what was asked has failed
  GitQueries(Path folder, BooleanSupplier stop) {
    this.folder = folder;
    this.stop = stop;
  }

  /// The lines of an answer, or its parts where `-z` separates them by zeros.
  List<String> ask(String... question) throws Failed {
    String text = new String(run("", question), StandardCharsets.UTF_8);
    List<String> parts = new ArrayList<>();
    for (String part : text.split(text.indexOf('\0') >= 0 ? "\0" : "\n", -1)) {
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    return parts;
  }

  /// Runs git with `input` and returns all that it says.
  byte[] run(String input, String... question) throws Failed {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"));
    command.addAll(List.of(question));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.put("GIT_OPTIONAL_LOCKS", "0");
    environment.put("GIT_NO_LAZY_FETCH", "1");
    environment.put("GIT_TERMINAL_PROMPT", "0");
    environment.put("LC_ALL", "C");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    if (stop.getAsBoolean()) {
      throw new Failed("asked to stop");
    }
    try {
      Process git = builder.start();
      Thread.ofVirtual().start(() -> watch(git));
      Thread feeder = Thread.ofVirtual().start(() -> feed(git, input));
      try (InputStream out = git.getInputStream()) {
        byte[] answer = out.readNBytes(ANSWER_BYTES_MAX + 1);
        if (answer.length > ANSWER_BYTES_MAX) {
          throw new Failed("git " + question[0] + ": more than " + ANSWER_BYTES_MAX + " bytes");
        }
        if (!git.waitFor(PATIENCE) || git.exitValue() != 0) {
          throw new Failed("git " + String.join(" ", question) + ": failed");
        }
        feeder.join();
        return answer;
      } finally {
        git.destroyForcibly();
      }
    } catch (IOException e) {
      throw new Failed("git cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failed("interrupted while git ran");
    }
  }

  /// Ends git once it takes too long or is not wanted any more.
  private void watch(Process git) {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (git.isAlive()) {
      if (stop.getAsBoolean() || System.nanoTime() > deadlineNanos) {
        git.descendants().forEach(ProcessHandle::destroyForcibly); // they hold its output open
        git.destroyForcibly();
        return;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private static void feed(Process git, String input) {
    try (OutputStream in = git.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It ended without reading everything; its status says why.
    }
  }

  /// The contents of objects, in the order of their ids, as `cat-file --batch` hands them out.
  static List<byte[]> contents(byte[] batch) throws Failed {
    List<byte[]> contents = new ArrayList<>();
    int at = 0;
    while (at < batch.length) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (at < batch.length && batch[at] != '\n') {
        line.write(batch[at++]);
      }
      at++;
      String[] head = line.toString(StandardCharsets.UTF_8).split(" ", -1);
      if (head.length != 3 || !head[2].matches("[0-9]{1,9}")) {
        throw new Failed("git cat-file: an object is missing: " + head[0]);
      }
      int size = Integer.parseInt(head[2]);
      if (size > batch.length - at) {
        throw new Failed("git cat-file: cut off");
      }
      byte[] content = new byte[size];
      System.arraycopy(batch, at, content, 0, size);
      contents.add(content);
      at += size + 1;
    }
    return contents;
  }
}
