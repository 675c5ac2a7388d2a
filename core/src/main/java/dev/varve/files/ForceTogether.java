// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.LocalDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Forces many files side by side: a file system with a journal makes one commit of all that wait
/// together.
public final class ForceTogether {

  private static final int AT_ONCE = 32;

  private ForceTogether() {}

  /// Returns once all these files and folders survive a power cut.
  ///
  /// @throws StoreException.Io if one of them cannot be forced
  public static void all(Collection<Path> paths) {
    if (paths.size() == 1) {
      force(paths.iterator().next());
      return;
    }
    List<Future<?>> forced = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Math.clamp(paths.size(), 1, AT_ONCE))) {
      paths.forEach(path -> forced.add(threads.submit(() -> force(path))));
    }
    for (Future<?> each : forced) {
      if (each.state() == Future.State.FAILED) {
        if (each.exceptionNow() instanceof StoreException refusal) {
          throw refusal;
        }
        throw new AssertionError("force", each.exceptionNow());
      }
    }
  }

  private static void force(Path path) {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      LocalDisk.ofUser(path).forceNames();
      return;
    }
    try (FileChannel channel = FileChannel.open(path, WRITE, LinkOption.NOFOLLOW_LINKS)) {
      channel.force(true);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(path, "force", 0, e);
    }
  }
}
