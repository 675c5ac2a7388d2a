// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// The session files below a folder.
///
/// @param sessions sorted by path
/// @param unreadable folders that cannot be read, and things named like a session that are no file
public record SessionFolder(List<Path> sessions, List<ImportReport> unreadable) {

  /// Follows links, as Pi does: a folder of sessions may be one.
  public static SessionFolder walk(Path folder) {
    return walk(folder, Integer.MAX_VALUE);
  }

  /// Those in the folder itself.
  public static SessionFolder list(Path folder) {
    return walk(folder, 1);
  }

  private static SessionFolder walk(Path folder, int depthMax) {
    List<Path> sessions = new ArrayList<>();
    List<ImportReport> unreadable = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          depthMax,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (isSession(file) && !attributes.isDirectory()) {
                if (attributes.isRegularFile()) {
                  sessions.add(file);
                } else {
                  unreadable.add(PiImport.failed(file, "expected a regular file"));
                }
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (file.equals(folder)) {
                throw e;
              }
              if (!(e
                  instanceof FileSystemLoopException)) { // what is behind a loop is walked anyway
                unreadable.add(PiImport.failed(file, e.toString()));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
              if (e != null) {
                unreadable.add(PiImport.failed(visited, e.toString()));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be walked", e);
    }
    Collections.sort(sessions);
    return new SessionFolder(sessions, unreadable);
  }

  /// All of both, each once.
  public SessionFolder and(SessionFolder other) {
    TreeSet<Path> all = new TreeSet<>(sessions);
    all.addAll(other.sessions);
    List<ImportReport> missing = new ArrayList<>(unreadable);
    missing.addAll(other.unreadable);
    return new SessionFolder(List.copyOf(all), missing);
  }

  private static boolean isSession(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".jsonl");
  }
}
