// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Takes over the bundles of a cxdb server: the files of its folder `registry/`, each the bytes of
/// one bundle.
///
/// The order in which they were published is told by nothing but the files' times. Where a bundle
/// needs another that comes later, it is tried again after that.
public final class RegistryFolder {

  /// What came of it.
  ///
  /// @param bundles how many were taken
  /// @param problems files that were not, each with its reason
  public record Report(int bundles, List<Problem> problems) {
    public Report {
      problems = List.copyOf(problems);
    }
  }

  public record Problem(String file, String what) {}

  private record Bundled(String file, Payload bytes) {}

  private final TypeRegistry registry;
  private final List<Problem> problems = new ArrayList<>();

  private RegistryFolder(TypeRegistry registry) {
    this.registry = registry;
  }

  /// Takes all bundles of `folder`; none if there is no such folder.
  public static Report take(Path folder, TypeRegistry registry) {
    RegistryFolder taking = new RegistryFolder(registry);
    List<Bundled> waiting = Files.isDirectory(folder) ? taking.read(folder) : List.of();
    int count = 0;
    int before;
    do {
      before = waiting.size();
      taking.problems.removeIf(problem -> problem.what().startsWith(LATER));
      List<Bundled> left = new ArrayList<>();
      for (Bundled bundle : waiting) {
        if (taking.took(bundle)) {
          count++;
        } else {
          left.add(bundle);
        }
      }
      waiting = left;
    } while (!waiting.isEmpty() && waiting.size() < before);
    return new Report(count, taking.problems);
  }

  /// How the reasons begin that another bundle may take away.
  private static final String LATER = "refused: ";

  private boolean took(Bundled bundle) {
    try {
      registry.put(bundle.bytes());
      return true;
    } catch (StoreException.Invalid | StoreException.Conflict | StoreException.TooLarge e) {
      problems.add(new Problem(bundle.file(), LATER + e.getMessage()));
      return false;
    }
  }

  private List<Bundled> read(Path folder) {
    List<Bundled> bundles = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> inOrder =
          files
              .sorted(
                  Comparator.comparingLong(RegistryFolder::modified)
                      .thenComparing(Path::getFileName))
              .toList();
      for (Path file : inOrder) {
        read(file, bundles);
      }
    } catch (IOException e) {
      problems.add(new Problem(folder.getFileName().toString(), "not readable: " + e.getMessage()));
    }
    return bundles;
  }

  private void read(Path file, List<Bundled> bundles) {
    String name = file.getFileName().toString();
    if (!name.endsWith(".json") || !Files.isRegularFile(file)) {
      problems.add(new Problem(name, "no bundle"));
      return;
    }
    int most = RegistryLimits.DEFAULTS.bundleBytes();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        problems.add(new Problem(name, "over the limit of " + most + " bytes"));
      } else {
        bundles.add(new Bundled(name, Payload.wrap(bytes)));
      }
    } catch (IOException e) {
      problems.add(new Problem(name, "not readable: " + e.getMessage()));
    }
  }

  private static long modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      return Long.MAX_VALUE; // it will be told when it is read
    }
  }
}
