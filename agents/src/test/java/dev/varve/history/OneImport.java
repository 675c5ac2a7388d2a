// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.RecordCounts;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Compares the last of several imports of a file that changed with one import of the file.
public final class OneImport {

  private OneImport() {}

  /// Imports a file as it is into an empty store, and compares.
  ///
  /// @param rewritten whether lines of the file were changed in between, so that the leaves of
  ///   earlier versions have contexts too
  public static void isSame(Archive archive, ImportReport report, Path file, boolean rewritten) {
    Archive other = Archive.of(archive.profile());
    ImportReport once = other.take(file);
    assertThat(archive.session(report).manifest().files())
        .extracting(ArchivedFile::content)
        .isEqualTo(
            other.session(once).manifest().files().stream().map(ArchivedFile::content).toList());
    SessionAbout about = archive.session(report).about();
    SessionAbout expected = other.session(once).about();
    assertThat(about.view()).isEqualTo(expected.view());
    assertThat(usage(archive, about)).isEqualTo(usage(other, expected));
    if (report.outcome() != Outcome.UNCHANGED) {
      assertThat(all(report.records())).isEqualTo(all(once.records()));
      assertThat(report.problems()).isEqualTo(once.problems());
    }
    Set<List<String>> paths = paths(archive, about);
    assertThat(paths).containsAll(paths(other, expected));
    if (!rewritten) {
      assertThat(leaves(archive, about)).containsAll(leaves(other, expected));
    }
  }

  private static RecordCounts all(RecordCounts counts) {
    return counts.asShared();
  }

  private static String usage(Archive archive, SessionAbout about) {
    return about.usage() == null ? "" : archive.store().get(about.usage()).text();
  }

  private static Set<List<String>> paths(Archive archive, SessionAbout about) {
    Set<List<String>> paths = new HashSet<>();
    for (ContextId context : about.contexts()) {
      paths.add(archive.texts(context));
    }
    return paths;
  }

  /// What the contexts of the leaves say of themselves, but for the ids of other contexts.
  private static List<String> leaves(Archive archive, SessionAbout about) {
    return about.contexts().stream()
        .map(context -> archive.store().get(archive.store().head(context).about()).text())
        .map(text -> text.replaceAll("\"manifest_context\":\"[^\"]*\"", ""))
        .toList();
  }
}
