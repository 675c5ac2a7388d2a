// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Changes a small tree at random: the same few names become files, folders, links, programs, or
/// nothing.
public final class RandomTree {

  private static final String[] STEPS = {"a", "A", "b b", "-rf", "ü", "%41", "q'\"\n\t", ":(top)*"};

  private RandomTree() {}

  public static void change(Repo repo, RandomGenerator random) throws IOException {
    for (int i = 0; i < 6; i++) {
      StringBuilder name = new StringBuilder(step(random));
      for (int depth = random.nextInt(3); depth > 0; depth--) {
        name.append('/').append(step(random));
      }
      RepoPath path = RepoPath.of(name.toString());
      clear(repo, path);
      switch (random.nextInt(5)) {
        case 0, 1 -> repo.write(path, text(random));
        case 2 -> {
          repo.write(path, text(random));
          repo.permit(
              name.toString(),
              List.of("rwxr-xr-x", "r--r--r--", "rw-------").get(random.nextInt(3)));
        }
        case 3 -> {
          Files.createDirectories(path.under(repo.root()).getParent());
          Files.createSymbolicLink(path.under(repo.root()), Path.of(step(random)));
        }
        default -> {}
      }
    }
  }

  private static String step(RandomGenerator random) {
    return STEPS[random.nextInt(STEPS.length)];
  }

  private static byte[] text(RandomGenerator random) {
    return ("line\r\n".repeat(random.nextInt(4)) + random.nextInt(10)).getBytes(UTF_8);
  }

  /// Makes way for a file of this name: files and links on the way, folders in its place.
  private static void clear(Repo repo, RepoPath path) throws IOException {
    for (var step = path.parent(); step.isPresent(); step = step.get().parent()) {
      Path folder = step.get().under(repo.root());
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && FolderChecks.areReal(repo.root(), folder)) {
        Files.deleteIfExists(folder);
      }
    }
    Path file = path.under(repo.root());
    if (!FolderChecks.areReal(repo.root(), file)) {
      clear(repo, path.parent().orElseThrow());
      return;
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> files = Files.walk(file)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    } else {
      Files.deleteIfExists(file);
    }
    for (var step = path.parent(); step.isPresent(); step = step.get().parent()) {
      try (Stream<Path> inside = Files.list(step.get().under(repo.root()))) {
        if (inside.findAny().isPresent()) {
          return;
        }
      } catch (IOException e) {
        continue; // it does not exist
      }
      Files.delete(step.get().under(repo.root())); // empty folders are not captured
    }
  }
}
