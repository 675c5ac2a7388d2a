// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.claude.ClaudeProfile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderNoticesTest {

  /// Java keeps at most 512 notifications of a folder; then all of them are lost.
  private static final int TOO_MANY = 2000;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path home;

  @Test
  void whatAppearedWhileNotificationsWereLostIsWatched() throws Exception {
    Path projects = Files.createDirectories(home.resolve("projects"));
    WatchedHome watched = new WatchedHome(new ClaudeProfile(), home);
    PendingLooks looks = new PendingLooks();
    try (FolderNotices notices =
        new FolderNotices(FileSystems.getDefault().newWatchService(), looks)) {
      notices.watch(watched);
      synchronized (notices) { // no notification is handled meanwhile
        for (int i = 0; i < TOO_MANY; i++) {
          Files.createFile(projects.resolve("file-" + i));
        }
        Files.createDirectories(projects.resolve("late/inside"));
      }
      drain(looks);

      Files.createFile(projects.resolve("late/inside/x.jsonl"));

      assertThat(looks.await(PATIENCE_NANOS)).isTrue();
      assertThat(looks.take()).containsExactly(watched);
      assertThat(notices.problem()).isEmpty();
    }
  }

  /// Until all that was noticed is handled.
  private static void drain(PendingLooks looks) throws InterruptedException {
    assertThat(looks.await(PATIENCE_NANOS)).isTrue();
    while (looks.await(TimeUnit.MILLISECONDS.toNanos(500))) {
      looks.take();
    }
  }
}
