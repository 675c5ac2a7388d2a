// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiFolderTest {

  @TempDir Path folder;
  private final Store store = new StoreModel();
  private final PiImport pi = new PiImport(store);

  @Test
  void aFolderIsReadWholeThoughFilesInItCannotBe() throws IOException {
    Path deep = Files.createDirectories(folder.resolve("--home-dev--/deep"));
    SessionText.headed("1").user("a", null, "one").write(folder.resolve("a.jsonl"));
    SessionText.headed("2").user("b", null, "two").write(deep.resolve("b.jsonl"));
    Files.writeString(folder.resolve("notes.txt"), "not a session");
    Files.createDirectory(folder.resolve("folder.jsonl"));
    Files.createSymbolicLink(deep.resolve("loop"), folder);
    Files.createSymbolicLink(folder.resolve("dangling.jsonl"), folder.resolve("nowhere"));
    List<ImportReport> told = new ArrayList<>();

    List<ImportReport> reports = pi.folder(folder, told::add);

    assertThat(told).isEqualTo(reports);
    assertThat(reports)
        .filteredOn(r -> r.outcome() == Outcome.NEW)
        .extracting(ImportReport::session)
        .containsExactly("2", "1");
    assertThat(reports)
        .filteredOn(r -> r.outcome() == Outcome.FAILED)
        .extracting(ImportReport::source)
        .containsExactly(folder.resolve("dangling.jsonl"));
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> pi.folder(folder.resolve("no"), ImportListener.NONE))
        .isInstanceOf(StoreException.Io.class);
    assertThatThrownBy(() -> pi.session(folder)).isInstanceOf(StoreException.Io.class);
  }

  @Test
  void howFarAnImportIsIsTold() throws IOException {
    SessionText.headed("1").user("a", null, "x".repeat(1 << 20)).write(folder.resolve("a.jsonl"));
    List<String> told = new ArrayList<>();

    pi.folder(
        folder,
        new ImportListener() {
          @Override
          public void found(int files) {
            told.add(files + " found");
          }

          @Override
          public void reading(Path file, long doneBytes, long totalBytes) {
            told.add(file.getFileName() + (doneBytes == totalBytes ? " read" : " being read"));
          }

          @Override
          public void done(ImportReport report) {
            told.add(report.source().getFileName() + " done");
          }
        });

    assertThat(told)
        .startsWith("1 found", "a.jsonl being read")
        .endsWith("a.jsonl read", "a.jsonl done");
  }

  @Test
  void aFolderThatIsALinkIsFollowed() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    SessionText.headed().user("a", null, "one").write(elsewhere.resolve("s.jsonl"));
    Path link = Files.createSymbolicLink(folder.resolve("sessions"), elsewhere);

    assertThat(pi.folder(link, ImportListener.NONE))
        .extracting(ImportReport::outcome)
        .containsExactly(Outcome.NEW);
  }

  @Test
  void sessionsOfSubAgentsInsideTheFolderOfSessionsCountOnce() throws IOException {
    Path project = Files.createDirectories(folder.resolve("--src-demo--"));
    SessionText parent = SessionText.headed("p").user("a", null, "one").user("b", "a", "two");
    parent.write(project.resolve("p.jsonl"));
    Path inside = Files.createDirectories(project.resolve("p/subagents/run-0"));
    SessionText.headed("s").user("x", null, "help").write(inside.resolve("session.jsonl"));
    SessionText.headed("f")
        .user("a", null, "one")
        .user("b", "a", "two")
        .user("y", "b", "help with all that")
        .write(inside.resolve("fork.jsonl"));

    List<ImportReport> reports = pi.folder(folder, ImportListener.NONE);

    assertThat(reports).extracting(ImportReport::session).containsExactlyInAnyOrder("p", "s", "f");
    assertThat(reports.stream().mapToLong(report -> report.records().turnsNew()).sum())
        .as("each turn once")
        .isEqualTo(4);
    assertThat(store.counts().turns() - 2L * reports.size())
        .as("and the manifests, each behind its key")
        .isEqualTo(4);
    assertThat(pi.folder(folder, ImportListener.NONE))
        .extracting(ImportReport::outcome)
        .containsOnly(Outcome.UNCHANGED);
  }
}
