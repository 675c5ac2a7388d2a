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

/// The import of the bundles of a cxdb server: the files of its folder `registry/`, each with the
/// bytes of one bundle.
///
/// Only the times of the files tell the order in which they were published. A bundle that needs a
/// later one is tried again after that one.
public final class RegistryImport {

  /// The result of an import.
  ///
  /// @param bundles the number of imported bundles
  /// @param problems the files that were not imported, each with its reason
  public record Report(int bundles, List<Problem> problems) {
    public Report {
      problems = List.copyOf(problems);
    }
  }

  public record Problem(String file, String what) {}

  private record BundleBytes(String file, Payload bytes) {}

  private final TypeRegistry registry;
  private final List<Problem> problems = new ArrayList<>();

  private RegistryImport(TypeRegistry registry) {
    this.registry = registry;
  }

  /// Imports all bundles of `folder`; none if the folder is absent.
  public static Report take(Path folder, TypeRegistry registry) {
    RegistryImport taking = new RegistryImport(registry);
    List<BundleBytes> waiting = Files.isDirectory(folder) ? taking.read(folder) : List.of();
    int count = 0;
    int before;
    do {
      before = waiting.size();
      taking.problems.removeIf(problem -> problem.what().startsWith(LATER));
      List<BundleBytes> left = new ArrayList<>();
      for (BundleBytes bundle : waiting) {
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

  /// The beginning of reasons that another bundle may remove.
  private static final String LATER = "refused: ";

  private boolean took(BundleBytes bundle) {
    try {
      registry.put(bundle.bytes());
      return true;
    } catch (StoreException.Invalid | StoreException.Conflict | StoreException.TooLarge e) {
      problems.add(new Problem(bundle.file(), LATER + e.getMessage()));
      return false;
    }
  }

  private List<BundleBytes> read(Path folder) {
    List<BundleBytes> bundles = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> inOrder =
          files
              .sorted(
                  Comparator.comparingLong(RegistryImport::modified)
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

  private void read(Path file, List<BundleBytes> bundles) {
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
        bundles.add(new BundleBytes(name, Payload.wrap(bytes)));
      }
    } catch (IOException e) {
      problems.add(new Problem(name, "not readable: " + e.getMessage()));
    }
  }

  private static long modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      return Long.MAX_VALUE; // reported when the file is read
    }
  }
}
