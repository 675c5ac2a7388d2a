// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Brings every session below a folder into a store and out again, and compares.
///
/// Run with folders as arguments it does so with real files; it says nothing unless something is
/// wrong.
public final class PiRoundTrip {

  private PiRoundTrip() {}

  public static void main(String[] folders) throws IOException {
    for (String folder : folders) {
      try (Store store = new StoreModel()) {
        check(store, Path.of(folder));
      }
    }
  }

  /// Imports twice and exports everything.
  ///
  /// @return the reports of the first import
  static List<ImportReport> check(Store store, Path folder) throws IOException {
    PiImport pi = new PiImport(store);
    List<ImportReport> first = pi.folder(folder, ImportListener.NONE);
    for (ImportReport report : first) {
      assertThat(report.outcome()).as("%s", report).isNotEqualTo(ImportReport.Outcome.FAILED);
      comesBack(store, report);
    }
    var before = store.counts();
    List<ContextHead> contexts = store.contexts(null, 100_000);
    List<ImportReport> second = pi.folder(folder, ImportListener.NONE);
    assertThat(store.counts()).as("counts after a second import").isEqualTo(before);
    assertThat(store.contexts(null, 100_000))
        .as("contexts after a second import")
        .isEqualTo(contexts);
    assertThat(second).extracting(report -> report.records().turnsNew()).containsOnly(0L);
    return first;
  }

  /// The file of `report` comes back from its manifest, and the newest version from each of its
  /// contexts.
  static void comesBack(Store store, ImportReport report) throws IOException {
    Path folder = Files.createTempDirectory("varve-round-trip");
    Path copy = folder.resolve("copy.jsonl");
    try {
      PiExport.version(store, report.manifest().turn(), copy);
      same(report.source(), copy);
      PiAbout.Whole newest = (PiAbout.Whole) PiExport.about(store, report.manifest().context());
      if (newest.manifest().equals(report.manifest().turn())) {
        for (ContextId context : newest.contexts()) {
          if (((PiAbout.Branch) PiExport.about(store, context)).former() == null) {
            Files.delete(copy);
            PiExport.session(store, context, copy);
            same(report.source(), copy);
          }
        }
      }
    } finally {
      Files.deleteIfExists(copy);
      Files.delete(folder);
    }
  }

  private static void same(Path expected, Path found) throws IOException {
    assertThat(Files.mismatch(expected, found))
        .as("%s, first byte that differs", expected)
        .isEqualTo(-1);
  }
}
