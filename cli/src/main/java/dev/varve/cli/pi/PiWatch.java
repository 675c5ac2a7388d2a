// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.StopSignal;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Publishes sessions again whenever they grew, until the process is asked to stop. Looks at sizes
/// and times of files every two seconds, which works on every file system; reads a session only
/// once it was left alone from one look to the next, or was written to for half a minute.
final class PiWatch {

  private static final Duration PERIOD = Duration.ofSeconds(2);

  /// After so many looks a session that is always written to is published all the same.
  static final int LOOKS_MAX = 15;

  /// The file system's facts about a file, and the number of looks at which the file had changed.
  private record Seen(long sizeBytes, FileTime modifiedAt, @Nullable Object key, int changes) {

    static @Nullable Seen of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Seen(found.size(), found.lastModifiedTime(), found.fileKey(), 0);
      } catch (IOException e) {
        return null; // gone meanwhile: nothing to publish
      }
    }

    boolean same(@Nullable Seen other) {
      return other != null && withChanges(0).equals(other.withChanges(0));
    }

    Seen withChanges(int count) {
      return new Seen(sizeBytes, modifiedAt, key, count);
    }
  }

  private final Map<Path, Seen> published = new HashMap<>();
  private final Map<Path, Seen> last = new HashMap<>();

  /// Chooses the sessions to publish now; at the first look, all of them.
  List<Path> due(List<Path> sessions) {
    List<Path> due = new ArrayList<>();
    for (Path session : sessions) {
      Seen now = Seen.of(session);
      Seen before = last.get(session);
      if (now == null || now.same(published.get(session))) {
        continue;
      }
      int changes = before == null || now.same(before) ? 0 : before.changes + 1;
      last.put(session, now.withChanges(changes));
      boolean first = !published.containsKey(session) && published.isEmpty();
      if (first || (before != null && (changes == 0 || changes >= LOOKS_MAX))) {
        due.add(session);
      }
    }
    return due;
  }

  /// Remembers that `due` were published in the state of the last look.
  void done(List<Path> due) {
    for (Path session : due) {
      Seen seen = last.get(session);
      if (seen != null) {
        published.put(session, seen);
        last.put(session, seen.withChanges(0));
      }
    }
  }

  /// Runs until the process is asked to stop; what is under way is finished.
  ///
  /// @param sessions supplies, at each look, the existing sessions
  /// @param publish publishes the given sessions; it is called again later if the store is in use
  static int run(Supplier<List<Path>> sessions, Consumer<List<Path>> publish, Terminal terminal) {
    CountDownLatch stopped = new CountDownLatch(1);
    try (StopSignal _ = StopSignal.on(stopped::countDown)) {
      terminal.say("watching; Control-C stops it.");
      look(sessions, publish, stopped, terminal);
      terminal.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCodes.OK;
  }

  private static void look(
      Supplier<List<Path>> sessions,
      Consumer<List<Path>> publish,
      CountDownLatch stopped,
      Terminal terminal)
      throws InterruptedException {
    PiWatch watch = new PiWatch();
    boolean waits = false;
    do {
      List<Path> due = watch.due(sessions.get());
      if (due.isEmpty()) {
        continue;
      }
      try {
        publish.accept(due);
        terminal.flush();
        watch.done(due);
        waits = false;
      } catch (StoreException.Busy e) {
        if (!waits) {
          terminal.say(
              e.getMessage() + ". Sessions that grew are published once the store is free.");
        }
        waits = true;
      }
    } while (!stopped.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
  }
}
