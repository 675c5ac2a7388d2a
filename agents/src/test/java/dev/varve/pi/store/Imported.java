// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a test asks of a store with sessions in it.
record Imported(Store store) {

  /// Imports a file and sees that it comes back from all its contexts.
  ImportReport importAndCompare(Path file) throws IOException {
    ImportReport report = new PiImport(store).session(file);
    PiRoundTrip.comesBack(store, report);
    return report;
  }

  /// The contexts of the session's leaves, without the former ones.
  List<ContextId> leafContexts(ImportReport report) {
    PiAbout.Whole whole = (PiAbout.Whole) PiExport.about(store, report.manifest().context());
    return whole.contexts().stream().filter(context -> branch(context).former() == null).toList();
  }

  /// The ids of the entries without children.
  List<String> leaves(ImportReport report) {
    return leafContexts(report).stream().map(context -> branch(context).leaf()).toList();
  }

  ContextId context(ImportReport report, String leaf) {
    return leafContexts(report).stream()
        .filter(context -> branch(context).leaf().equals(leaf))
        .findFirst()
        .orElseThrow();
  }

  PiAbout.Branch branch(ContextId context) {
    return (PiAbout.Branch) PiExport.about(store, context);
  }

  List<Turn> path(ContextId context) {
    return store.last(context, 1000, View.LATEST).turns();
  }
}
