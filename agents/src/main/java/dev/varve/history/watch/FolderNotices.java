// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file system's notifications about the folders of agents.
///
/// A folder that does not exist yet is waited for in the nearest folder above that does. Folders
/// that appear are watched with all that is inside. Where notifications are lost, everything below
/// the folder counts as changed.
final class FolderNotices implements AutoCloseable {

  /// The reason for which a folder is watched.
  ///
  /// @param toward the only entry that counts, a step toward a folder that does not exist yet; null
  ///   if all do
  /// @param deep whether folders inside are watched, too
  private record Interest(WatchedHome home, @Nullable Path toward, boolean deep) {}

  /// A watched folder. A key stays when its folder is renamed, so the path is kept here.
  private static final class Folder {
    private Path path;
    private final Set<Interest> interests = new HashSet<>();

    private Folder(Path path) {
      this.path = path;
    }
  }

  private final WatchService service;
  private final PendingLooks looks;
  private final Map<WatchKey, Folder> folders = new HashMap<>();
  private String problem = "";

  /// @param service is closed with this object
  FolderNotices(WatchService service, PendingLooks looks) {
    this.service = service;
    this.looks = looks;
    Thread.ofPlatform().daemon().name("varve-notices").start(this::run);
  }

  /// The reason for which some folders send no notifications; empty if all do.
  synchronized String problem() {
    return problem;
  }

  /// Watches the folders of a home, again if they are watched already.
  synchronized void watch(WatchedHome home) {
    for (Path root : home.profile().watched(home.home())) {
      Path folder = root.toAbsolutePath();
      if (!Files.isDirectory(folder)) {
        await(home, folder);
      } else if (root.equals(home.home())) {
        register(folder, new Interest(home, null, false));
      } else {
        walk(folder, new Interest(home, null, true));
      }
    }
  }

  private void await(WatchedHome home, Path absent) {
    Path toward = absent;
    Path above = absent.getParent();
    while (above != null && !Files.isDirectory(above)) {
      toward = above;
      above = above.getParent();
    }
    if (above != null) {
      register(above, new Interest(home, toward.getFileName(), false));
    }
  }

  private void walk(Path folder, Interest interest) {
    try {
      Files.walkFileTree(
          folder,
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          Integer.MAX_VALUE,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inside, BasicFileAttributes attributes) {
              register(inside, interest); // before it is listed, so that nothing is missed
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // gone, a loop, or none of ours
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inside, @Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      problem = folder + ": " + e.getMessage();
    }
  }

  private void register(Path path, Interest interest) {
    try {
      WatchKey key = path.register(service, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
      Folder folder = folders.computeIfAbsent(key, _ -> new Folder(path));
      folder.path = path;
      folder.interests.add(interest);
    } catch (NoSuchFileException e) {
      // gone again
    } catch (ClosedWatchServiceException e) {
      // the watch ends
    } catch (IOException e) {
      problem = path + ": " + e.getMessage();
    }
  }

  private void run() {
    try {
      while (true) {
        handle(service.take());
      }
    } catch (ClosedWatchServiceException e) {
      // the watch ends
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void handle(WatchKey key) {
    Folder folder = folders.get(key);
    if (folder == null) {
      key.cancel();
      return;
    }
    for (WatchEvent<?> event : key.pollEvents()) {
      for (Interest interest : Set.copyOf(folder.interests)) {
        if (counts(event, interest)) {
          follow(event, folder.path, interest);
          looks.add(interest.home());
        }
      }
    }
    if (!key.reset()) {
      folders.remove(key);
      for (Interest interest : folder.interests) {
        if (interest.toward() != null || isRoot(folder.path, interest.home())) {
          watch(interest.home()); // it may come again
        }
        looks.add(interest.home());
      }
    }
  }

  private static boolean isRoot(Path path, WatchedHome home) {
    return home.profile().watched(home.home()).stream()
        .anyMatch(root -> root.toAbsolutePath().equals(path));
  }

  private static boolean counts(WatchEvent<?> event, Interest interest) {
    return interest.toward() == null
        || OVERFLOW.equals(event.kind())
        || interest.toward().equals(event.context());
  }

  /// Watches what appeared.
  private void follow(WatchEvent<?> event, Path path, Interest interest) {
    if (OVERFLOW.equals(event.kind()) || interest.toward() != null) {
      watch(interest.home());
    } else if (ENTRY_CREATE.equals(event.kind())
        && interest.deep()
        && event.context() instanceof Path name
        && Files.isDirectory(path.resolve(name))) {
      walk(path.resolve(name), interest);
    }
  }

  @Override
  public void close() throws IOException {
    service.close();
  }
}
