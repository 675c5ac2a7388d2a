// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

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

/// The files of an agent below a folder.
///
/// @param files sorted by path
/// @param unreadable folders that cannot be read, and paths with the suffix that are no regular
///   files
public record SourceFolder(List<Path> files, List<UnreadablePath> unreadable) {

  /// The end of the names of files with one JSON value in each line.
  public static final String JSON_LINES = ".jsonl";

  /// The files below `folder` whose names end in `suffix`. Links are followed, as agents do: a
  /// folder of sessions may be one.
  ///
  /// @param suffix in lower case; names may have any
  /// @throws StoreException.Io if the folder itself cannot be read
  public static SourceFolder walk(Path folder, String suffix) {
    return walk(folder, suffix, Integer.MAX_VALUE);
  }

  /// Like [#walk], but without the folders inside `folder`.
  public static SourceFolder list(Path folder, String suffix) {
    return walk(folder, suffix, 1);
  }

  private static SourceFolder walk(Path folder, String suffix, int depthMax) {
    List<Path> files = new ArrayList<>();
    List<UnreadablePath> unreadable = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          depthMax,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (name(file).endsWith(suffix) && !attributes.isDirectory()) {
                if (attributes.isRegularFile()) {
                  files.add(file);
                } else {
                  unreadable.add(new UnreadablePath(file, "expected a regular file"));
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
                unreadable.add(UnreadablePath.of(file, e));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
              if (e != null) {
                unreadable.add(UnreadablePath.of(visited, e));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be walked", e);
    }
    Collections.sort(files);
    return new SourceFolder(files, unreadable);
  }

  /// The files of both, each once.
  public SourceFolder and(SourceFolder other) {
    TreeSet<Path> all = new TreeSet<>(files);
    all.addAll(other.files);
    List<UnreadablePath> missing = new ArrayList<>(unreadable);
    missing.addAll(other.unreadable);
    return new SourceFolder(List.copyOf(all), missing);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }
}
