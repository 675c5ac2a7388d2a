// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.imports.FileImports;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A store that takes the sessions of one agent, and gives them back.
public record Archive(Store store, HistoryProfile profile) {

  /// A later time than that of any file, so that each stamp counts.
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  public static Archive of(HistoryProfile profile) {
    return new Archive(new StoreModel(), profile);
  }

  /// Imports the session of a file.
  public ImportReport take(Path file) {
    return new FileImports(new HistoryImport(store, profile, () -> LATER), ImportListener.NONE)
        .file(file);
  }

  /// Imports a session.
  public ImportReport take(SessionFiles session) throws IOException {
    return new HistoryImport(store, profile, () -> LATER).session(session, ImportListener.NONE);
  }

  public ArchivedSession session(ImportReport report) {
    return ArchivedSession.find(store, report.manifest().context()).orElseThrow();
  }

  /// The texts of a context's turns, from the root on.
  public List<String> texts(ContextId context) {
    return turns(context).stream().map(turn -> turn.payload().text()).toList();
  }

  public List<Turn> turns(ContextId context) {
    return store.last(context, 1000, View.LATEST).turns();
  }

  /// Puts a session back and sees that each of its files has the bytes and the time that it has in
  /// `home`.
  public void comesBack(ImportReport report, Path home, Path target) throws IOException {
    PutBack putBack = new PutBack(store, profile);
    PutBackPlan plan = putBack.plan(session(report), target);
    putBack.write(plan);
    for (PlannedFile file : plan.files()) {
      Path was = home.resolve(file.file().name());
      assertThat(file.path()).hasSameBinaryContentAs(was);
      assertThat(Files.getLastModifiedTime(file.path())).isEqualTo(Files.getLastModifiedTime(was));
      assertThat(Files.getPosixFilePermissions(file.path()))
          .isEqualTo(Files.getPosixFilePermissions(was));
    }
  }
}
