// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiImportTest {

  @TempDir Path folder;
  private final Store store = new StoreModel();
  private final PiImport pi = new PiImport(store);
  private final Imported imported = new Imported(store);

  @Test
  void everyEntryBecomesATurnWithTheExactBytesOfItsLine() throws IOException {
    SessionText text = SessionText.two();

    ImportReport report = imported.importAndCompare(text.write(folder.resolve("s.jsonl")));

    List<Turn> turns = imported.path(imported.leafContexts(report).getFirst());
    assertThat(turns)
        .extracting(turn -> turn.payload().text())
        .isEqualTo(text.lines().subList(1, 3));
    assertThat(turns).extracting(Turn::type).containsOnly(new DeclaredType("pi.message", 3));
    assertThat(turns).extracting(Turn::encoding).containsOnly(Encoding.JSON);
    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.records().bookkeeping()).as("the header").isEqualTo(1);
    assertThat(report.problems().first()).isEmpty();
  }

  @Test
  void aTurnHasTheTimeThatItsEntryTells() throws IOException {
    Instant before = Instant.now();
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "one")
                .line(
                    "{\"type\":\"custom\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"soon\"}")
                .line(
                    "{\"type\":\"custom\",\"id\":\"c\",\"parentId\":\"b\","
                        + "\"timestamp\":\"1969-01-01T00:00:00Z\"}")
                .write(folder.resolve("s.jsonl")));

    List<Turn> turns = imported.path(imported.leafContexts(report).getFirst());
    assertThat(turns.getFirst().createdAt()).isEqualTo(Instant.parse("2026-11-27T20:37:22.033Z"));
    assertThat(turns.subList(1, 3))
        .as("a time that is none, or that no turn can have")
        .allSatisfy(turn -> assertThat(turn.createdAt()).isAfter(before.minusMillis(1)));
    assertThat(report.contexts().all()).isEqualTo(imported.leafContexts(report));
  }

  @Test
  void everyLeafIsTheHeadOfAContextThatSaysWhatItIs() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "Fix  the\\nbuild")
                .user("b", "a", "two")
                .user("c", "a", "three")
                .user("d", "c", "four")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactlyInAnyOrder("b", "d");
    PiAbout.Branch d = (PiAbout.Branch) PiExport.about(store, imported.context(report, "d"));
    assertThat(d.entries()).isEqualTo(3);
    assertThat(d.manifestContext()).isEqualTo(report.manifest().context());
    assertThat(d.session())
        .isEqualTo(
            new PiAbout.Session(SessionText.SESSION, "s.jsonl", "/src/demo", "Fix the build"));
    assertThat(imported.path(imported.context(report, "d"))).hasSize(3);
  }

  @Test
  void theNameAnEntryGivesTheSessionIsItsTitle() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "hello")
                .line(
                    "{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":\"a\","
                        + "\"name\":\"Named\"}")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.title()).isEqualTo("Named");
  }

  @Test
  void importingAgainAddsNothing() throws IOException {
    Path file = SessionText.two().write(folder.resolve("s.jsonl"));
    ImportReport first = pi.session(file);
    var counts = store.counts();
    List<ContextHead> contexts = store.contexts(null, 100);

    ImportReport second = pi.session(file);

    assertThat(second.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(second.manifest()).isEqualTo(first.manifest());
    assertThat(second.records().turnsShared()).isEqualTo(2);
    assertThat(store.counts()).isEqualTo(counts);
    assertThat(store.contexts(null, 100)).isEqualTo(contexts);
  }

  @Test
  void aFileThatGrewAddsItsNewTurnsAndMovesItsContext() throws IOException {
    SessionText text = SessionText.two();
    Path file = text.write(folder.resolve("s.jsonl"));
    ContextId context = imported.context(imported.importAndCompare(file), "b");

    text.user("c", "b", "three").user("d", "a", "another branch").write(file);
    ImportReport report = imported.importAndCompare(file);

    assertThat(report.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.records().turnsShared()).isEqualTo(2);
    assertThat(report.contexts().advanced()).isEqualTo(1);
    assertThat(report.contexts().added()).isEqualTo(1);
    assertThat(imported.context(report, "c")).isEqualTo(context);
    assertThat(imported.leaves(report)).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void forksShareTheTurnsTheyCopiedWhicheverComesFirst() throws IOException {
    Path parent =
        SessionText.headed("p")
            .user("a", null, "one")
            .user("b", "a", "two")
            .user("c", "b", "three")
            .write(folder.resolve("p.jsonl"));
    Path child =
        SessionText.headed("c")
            .user("a", null, "one")
            .user("b", "a", "two")
            .user("x", "b", "other")
            .write(folder.resolve("c.jsonl"));
    Path grandchild =
        SessionText.headed("g")
            .user("a", null, "one")
            .user("b", "a", "two")
            .user("x", "b", "other")
            .user("y", "x", "more")
            .write(folder.resolve("g.jsonl"));
    for (List<Path> order :
        List.of(List.of(parent, child, grandchild), List.of(grandchild, child, parent))) {
      try (Store other = new StoreModel()) {
        long turns = 0;
        for (Path file : order) {
          turns += new PiImport(other).session(file).records().turnsNew();
        }
        assertThat(turns).as("%s", order).isEqualTo(5);
        PiRoundTrip.check(other, folder);
      }
    }
  }

  @Test
  void aLeafThatMovedOntoTurnsOfAForkGetsANewContextAndTheOldOneStaysBehind() throws IOException {
    SessionText text = SessionText.headed("p").user("a", null, "one").user("b", "a", "two");
    Path parent = text.write(folder.resolve("p.jsonl"));
    ContextId old = imported.context(imported.importAndCompare(parent), "b");
    ImportReport before = pi.session(parent);
    imported.importAndCompare(
        SessionText.headed("f")
            .user("a", null, "one")
            .user("b", "a", "two")
            .user("c", "b", "three")
            .write(folder.resolve("f.jsonl")));

    text.user("c", "b", "three").write(parent);
    ImportReport report = imported.importAndCompare(parent);

    assertThat(report.records().turnsNew()).isZero();
    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(((PiAbout.Branch) PiExport.about(store, old)).former())
        .isEqualTo(before.manifest().turn());

    text.user("d", "c", "four").write(parent);
    ContextId moved = imported.context(report, "c");
    assertThat(imported.context(imported.importAndCompare(parent), "d")).isEqualTo(moved);
  }

  @Test
  void aFileThatWasWrittenAnewIsANewVersionAndTheOldOneCanStillBeExported() throws IOException {
    Path file = SessionText.two().write(folder.resolve("s.jsonl"));
    byte[] firstBytes = Files.readAllBytes(file);
    ImportReport first = imported.importAndCompare(file);
    ContextId old = imported.context(first, "b");

    SessionText.headed().user("z", null, "migrated").write(file);
    ImportReport second = imported.importAndCompare(file);

    assertThat(second.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(second.manifest().context()).isEqualTo(first.manifest().context());
    assertThat(PiExport.versions(store, old))
        .extracting(PiAbout.Whole::manifest)
        .containsExactly(second.manifest().turn(), first.manifest().turn());
    Path target = folder.resolve("old");
    PiExport.session(store, old, target); // a former context leads to the version it belongs to
    assertThat(Files.readAllBytes(target)).isEqualTo(firstBytes);
  }

  @Test
  void aFileOfTheSameSizeWithOtherBytesIsAnotherVersion() throws IOException {
    Path file = SessionText.headed().user("a", null, "one").write(folder.resolve("s.jsonl"));
    imported.importAndCompare(file);
    SessionText.headed().user("a", null, "two").write(file);

    ImportReport report = imported.importAndCompare(file);

    assertThat(report.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(report.records().turnsNew()).isEqualTo(1);
  }

  @Test
  void aRewrittenFileThatIsWrittenBackTakesItsOldContextsAgain() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one");
    Path file = text.write(folder.resolve("s.jsonl"));
    ContextId old = imported.context(imported.importAndCompare(file), "a");
    SessionText.headed().user("z", null, "other").write(file);
    imported.importAndCompare(file);

    text.user("b", "a", "two").write(file);

    assertThat(imported.context(imported.importAndCompare(file), "b")).isEqualTo(old);
  }

  @Test
  void anOlderCopyDoesNotTakeASessionBack() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one");
    Path backup = text.write(Files.createDirectory(folder.resolve("backup")).resolve("s.jsonl"));
    Path current = text.user("b", "a", "two").write(folder.resolve("s.jsonl"));
    ImportReport newest = imported.importAndCompare(current);

    ImportReport older = imported.importAndCompare(backup);

    assertThat(older.outcome()).isEqualTo(Outcome.OLDER);
    assertThat(older.manifest().context()).isEqualTo(newest.manifest().context());
    assertThat(imported.leaves(newest)).containsExactly("b");
    PiRoundTrip.check(store, folder);
    assertThat(PiExport.versions(store, newest.manifest().context()))
        .extracting(PiAbout.Whole::manifest)
        .containsExactly(newest.manifest().turn(), older.manifest().turn());
  }

  @Test
  void copiesOfOneIdWithOtherNamesOrFoldersOfWorkAreSessionsOfTheirOwn() throws IOException {
    imported.importAndCompare(
        SessionText.headed().user("a", null, "one").write(folder.resolve("s.jsonl")));
    imported.importAndCompare(
        SessionText.headed().user("a", null, "two").write(folder.resolve("exported.jsonl")));
    String moved =
        new String(SessionText.headed().user("a", null, "three").bytes(), StandardCharsets.UTF_8)
            .replace("/src/demo", "/src/moved");
    imported.importAndCompare(
        Files.writeString(Files.createDirectory(folder.resolve("m")).resolve("s.jsonl"), moved));

    assertThat(PiRoundTrip.check(store, folder))
        .extracting(ImportReport::outcome)
        .containsOnly(Outcome.UNCHANGED);
  }

  @Test
  void entriesOfTheFirstVersionHaveNoIdsAndFollowOneAnother() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            new SessionText()
                .line("{\"type\":\"session\",\"id\":\"1111\",\"cwd\":\"/c\"}")
                .line(
                    "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"old"
                        + " hello\"}}")
                .line("{\"type\":\"compaction\",\"summary\":\"s\"}")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.title()).isEqualTo("old hello");
    assertThat(imported.path(imported.leafContexts(report).getFirst()))
        .extracting(Turn::type)
        .containsExactly(new DeclaredType("pi.message", 1), new DeclaredType("pi.compaction", 1));
  }

  @Test
  void anEntryOf32MebibytesIsATurn() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "x".repeat(32 << 20))
                .user("b", "a", "two")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.problems().first()).isEmpty();
    assertThat(imported.path(imported.context(report, "b")).getFirst().payloadSizeBytes())
        .isGreaterThan(32 << 20);
  }
}
