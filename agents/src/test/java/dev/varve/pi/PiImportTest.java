// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import static dev.varve.pi.PiRoundTrip.comesBack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Limits;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.pi.ImportReport.Outcome;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiImportTest {

  @TempDir Path folder;
  private final Store store = new StoreModel();
  private final PiImport pi = new PiImport(store);

  @Test
  void everyEntryBecomesATurnWithTheExactBytesOfItsLine() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one").user("b", "a", "two");

    ImportReport report = importAndCompare(text.write(folder.resolve("s.jsonl")));

    List<Turn> turns = path(leafContexts(report).getFirst());
    assertThat(turns).extracting(turn -> turn.payload().text()).isEqualTo(text.lines().subList(1, 3));
    assertThat(turns).extracting(Turn::type).containsOnly(new DeclaredType("pi.message", 3));
    assertThat(turns).extracting(Turn::encoding).containsOnly(Encoding.JSON);
    assertThat(report.turnsNew()).isEqualTo(2);
    assertThat(report.linesVerbatim()).isEqualTo(1);
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void everyLeafIsTheHeadOfAContextThatSaysWhatItIs() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .user("a", null, "Fix  the\\nbuild")
                .user("b", "a", "two")
                .user("c", "a", "three")
                .user("d", "c", "four")
                .write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactlyInAnyOrder("b", "d");
    PiAbout.Branch d = (PiAbout.Branch) PiExport.about(store, context(report, "d"));
    assertThat(d.entries()).isEqualTo(3);
    assertThat(d.manifestContext()).isEqualTo(report.manifestContext());
    assertThat(d.session())
        .isEqualTo(
            new PiAbout.Session(SessionText.SESSION, "s.jsonl", "/home/dev/src/demo", "Fix the build"));
    assertThat(path(context(report, "d"))).hasSize(3);
  }

  @Test
  void theNameAnEntryGivesTheSessionIsItsTitle() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .user("a", null, "hello")
                .line("{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":\"a\",\"name\":\"Named\"}")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.title()).isEqualTo("Named");
  }

  @Test
  void importingAgainAddsNothing() throws IOException {
    Path file = SessionText.headed().user("a", null, "one").user("b", "a", "two").write(folder.resolve("s.jsonl"));
    ImportReport first = pi.session(file);
    var counts = store.counts();
    List<ContextHead> contexts = store.contexts(null, 100);

    ImportReport second = pi.session(file);

    assertThat(second.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(second.manifest()).isEqualTo(first.manifest());
    assertThat(second.turnsShared()).isEqualTo(2);
    assertThat(store.counts()).isEqualTo(counts);
    assertThat(store.contexts(null, 100)).isEqualTo(contexts);
  }

  @Test
  void aFileThatGrewAddsItsNewTurnsAndMovesItsContext() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one").user("b", "a", "two");
    Path file = text.write(folder.resolve("s.jsonl"));
    ContextId context = context(importAndCompare(file), "b");

    text.user("c", "b", "three").user("d", "a", "another branch").write(file);
    ImportReport report = importAndCompare(file);

    assertThat(report.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(report.turnsNew()).isEqualTo(2);
    assertThat(report.turnsShared()).isEqualTo(2);
    assertThat(report.contextsAdvanced()).isEqualTo(1);
    assertThat(report.contextsNew()).isEqualTo(1);
    assertThat(context(report, "c")).isEqualTo(context);
    assertThat(leaves(report)).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void forksShareTheTurnsTheyCopiedWhicheverComesFirst() throws IOException {
    Path parent = SessionText.headed("p").user("a", null, "one").user("b", "a", "two").user("c", "b", "three")
        .write(folder.resolve("p.jsonl"));
    Path child = SessionText.headed("c").user("a", null, "one").user("b", "a", "two").user("x", "b", "other")
        .write(folder.resolve("c.jsonl"));
    Path grandchild = SessionText.headed("g").user("a", null, "one").user("b", "a", "two").user("x", "b", "other")
        .user("y", "x", "more").write(folder.resolve("g.jsonl"));
    for (List<Path> order :
        List.of(List.of(parent, child, grandchild), List.of(grandchild, child, parent))) {
      try (Store other = new StoreModel()) {
        long turns = 0;
        for (Path file : order) {
          turns += new PiImport(other).session(file).turnsNew();
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
    ContextId old = context(importAndCompare(parent), "b");
    ImportReport before = pi.session(parent);
    importAndCompare(
        SessionText.headed("f").user("a", null, "one").user("b", "a", "two").user("c", "b", "three")
            .write(folder.resolve("f.jsonl")));

    text.user("c", "b", "three").write(parent);
    ImportReport report = importAndCompare(parent);

    assertThat(report.turnsNew()).isZero();
    assertThat(leaves(report)).containsExactly("c");
    assertThat(((PiAbout.Branch) PiExport.about(store, old)).former()).isEqualTo(before.manifest());

    text.user("d", "c", "four").write(parent);
    ContextId moved = context(report, "c");
    assertThat(context(importAndCompare(parent), "d")).isEqualTo(moved);
  }

  @Test
  void aFileThatWasWrittenAnewIsANewVersionAndTheOldOneCanStillBeExported() throws IOException {
    Path file = SessionText.headed().user("a", null, "one").user("b", "a", "two").write(folder.resolve("s.jsonl"));
    byte[] firstBytes = Files.readAllBytes(file);
    ImportReport first = importAndCompare(file);
    ContextId old = context(first, "b");

    SessionText.headed().user("z", null, "migrated").write(file);
    ImportReport second = importAndCompare(file);

    assertThat(second.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(second.manifestContext()).isEqualTo(first.manifestContext());
    assertThat(PiExport.versions(store, old))
        .extracting(PiAbout.Whole::manifest)
        .containsExactly(second.manifest(), first.manifest());
    Path target = folder.resolve("old");
    PiExport.session(store, old, target); // a former context leads to the version it belongs to
    assertThat(Files.readAllBytes(target)).isEqualTo(firstBytes);
  }

  @Test
  void aRewrittenFileThatIsWrittenBackTakesItsOldContextsAgain() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one");
    Path file = text.write(folder.resolve("s.jsonl"));
    ContextId old = context(importAndCompare(file), "a");
    SessionText.headed().user("z", null, "other").write(file);
    importAndCompare(file);

    text.user("b", "a", "two").write(file);

    assertThat(context(importAndCompare(file), "b")).isEqualTo(old);
  }

  @Test
  void anOlderCopyDoesNotTakeASessionBack() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one");
    Path backup = text.write(Files.createDirectory(folder.resolve("backup")).resolve("s.jsonl"));
    Path current = text.user("b", "a", "two").write(folder.resolve("s.jsonl"));
    ImportReport newest = importAndCompare(current);

    ImportReport older = importAndCompare(backup);

    assertThat(older.outcome()).isEqualTo(Outcome.OLDER);
    assertThat(older.manifestContext()).isEqualTo(newest.manifestContext());
    assertThat(leaves(newest)).containsExactly("b");
    PiRoundTrip.check(store, folder);
    assertThat(PiExport.versions(store, newest.manifestContext()))
        .extracting(PiAbout.Whole::manifest)
        .containsExactly(newest.manifest(), older.manifest());
  }

  @Test
  void copiesOfOneIdWithOtherNamesOrFoldersOfWorkAreSessionsOfTheirOwn() throws IOException {
    importAndCompare(SessionText.headed().user("a", null, "one").write(folder.resolve("s.jsonl")));
    importAndCompare(SessionText.headed().user("a", null, "two").write(folder.resolve("exported.jsonl")));
    String moved = new String(SessionText.headed().user("a", null, "three").bytes(), StandardCharsets.UTF_8)
        .replace("/home/dev/src/demo", "/home/dev/src/moved");
    importAndCompare(
        Files.writeString(Files.createDirectory(folder.resolve("m")).resolve("s.jsonl"), moved));

    assertThat(PiRoundTrip.check(store, folder))
        .extracting(ImportReport::outcome)
        .containsOnly(Outcome.UNCHANGED);
  }

  @Test
  void damageIsKeptAndToldAndTheRestOfTheFileIsRead() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .user("a", null, "one")
                .line("{\"type\":\"mess")
                .line("\u0000\u0000\u0000")
                .line("")
                .line("[1,2]")
                .user("b", "a", "two")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.turnsNew()).isEqualTo(2);
    assertThat(report.linesVerbatim()).isEqualTo(5);
    assertThat(report.problems()).extracting(ImportReport.Problem::line).containsExactly(3L, 4L);
  }

  @Test
  void aWholeRecordBehindHalfOfOneIsTaken() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .line("{\"type\":\"message\",\"id\":\"a\",\"par{\"type\":\"message\",\"id\":\"b\",\"parentId\":null}")
                .user("c", "b", "below it")
                .write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactly("c");
    assertThat(report.turnsNew()).isEqualTo(2);
    assertThat(report.linesVerbatim()).isEqualTo(1);
    assertThat(report.problems()).extracting(ImportReport.Problem::what)
        .satisfiesExactly(
            what -> assertThat(what).startsWith("31 bytes are no entry: "),
            what -> assertThat(what).isEqualTo("a whole entry stands behind 31 other bytes; it was taken"));
  }

  @Test
  void recordsWeldedOntoOneLineAreTakenEachByItself() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .line(SessionText.entry("a", null, "one") + SessionText.entry("b", "a", "two"))
                .user("c", "b", "three")
                .write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactly("c");
    assertThat(report.turnsNew()).isEqualTo(3);
  }

  @Test
  void aToolCallInsideATornMessageIsNoEntry() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed()
                .line("{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"content\":[{\"type\":\"toolCall\",\"id\":\"t\",\"name\":\"x\"},{\"ty")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.turnsNew()).isZero();
  }

  @Test
  void oneLineFullOfBeginningsIsGivenUpSoon() throws IOException {
    String hostile = "{\"type\":".repeat(200_000);

    ImportReport report = importAndCompare(SessionText.headed().line(hostile).write(folder.resolve("s.jsonl")));

    assertThat(report.linesVerbatim()).isEqualTo(2);
  }

  @Test
  void anEntryWhoseParentIsNowhereIsARootAndReported() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed().user("a", null, "one").user("x", "gone", "orphan").user("y", "x", "below")
                .write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactlyInAnyOrder("a", "y");
    assertThat(report.problems())
        .containsExactly(new ImportReport.Problem(3, "its parent gone is not here; made a root"));
  }

  @Test
  void anEntryMayStandAboveItsParent() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed().user("c", "b", "three").user("b", "a", "two").user("a", null, "one")
                .write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactly("c");
    assertThat(path(context(report, "c"))).hasSize(3);
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void entriesThatAreEachOthersParentsAreAllKept() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed().user("a", "b", "one").user("b", "a", "two").user("s", "s", "itself")
                .user("c", "b", "three").write(folder.resolve("s.jsonl")));

    assertThat(report.turnsNew()).isEqualTo(4);
    assertThat(leaves(report)).containsExactlyInAnyOrder("c", "s");
    assertThat(report.problems()).hasSize(2);
  }

  @Test
  void anIdUsedTwiceWithOtherParentsEndsNoWalkInACircle() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed().user("x", "gone", "one").user("b", "x", "two").user("x", "b", "three")
                .user("c", "x", "four").write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactly("c");
    assertThat(path(context(report, "c"))).hasSize(4);
    assertThat(report.problems()).extracting(ImportReport.Problem::line).containsExactly(2L, 4L);
  }

  @Test
  void aBeginningWrittenTwiceIsOneTree() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "one").user("b", "a", "two");
    text.lines().addAll(List.copyOf(text.lines()));

    ImportReport report = importAndCompare(text.user("c", "b", "three").write(folder.resolve("s.jsonl")));

    assertThat(leaves(report)).containsExactly("c");
    assertThat(report.turnsNew()).isEqualTo(3);
    assertThat(report.turnsRepeated()).isEqualTo(2);
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void entriesOfTheFirstVersionHaveNoIdsAndFollowOneAnother() throws IOException {
    ImportReport report =
        importAndCompare(
            new SessionText()
                .line("{\"type\":\"session\",\"id\":\"1111\",\"cwd\":\"/c\"}")
                .line("{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"old hello\"}}")
                .line("{\"type\":\"compaction\",\"summary\":\"s\"}")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.title()).isEqualTo("old hello");
    assertThat(path(leafContexts(report).getFirst())).extracting(Turn::type)
        .containsExactly(new DeclaredType("pi.message", 1), new DeclaredType("pi.compaction", 1));
  }

  @Test
  void oddFilesComeBackToo() throws IOException {
    int n = 0;
    for (byte[] bytes :
        List.of(
            new byte[0],
            utf8("\n"),
            utf8("\n\n\n"),
            utf8("\r\n"),
            utf8("my precious notes"),
            SessionText.headed().bytes(),
            utf8("\uFEFF" + new String(SessionText.headed().user("a", null, "bom").bytes(), StandardCharsets.UTF_8)),
            utf8(new String(SessionText.headed().user("a", null, "crlf").bytes(), StandardCharsets.UTF_8).replace("\n", "\r\n")),
            utf8(new String(SessionText.headed().user("a", null, "no end").bytes(), StandardCharsets.UTF_8).stripTrailing()),
            SessionText.headed().user("a", null, "\u2028 \u2029 \\ud800 \\u0000").bytes(),
            new SessionText().user("a", null, "no header").bytes(),
            new byte[5000])) {
      importAndCompare(Files.write(folder.resolve(n++ + ".jsonl"), bytes));
    }
    PiRoundTrip.check(store, folder);
  }

  @Test
  void aWrongByteInsideAStringKeepsNeitherTheEntryNorItsChildrenOut() throws IOException {
    byte[] bytes = SessionText.headed().user("a", null, "caf#").user("b", "a", "two").bytes();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '#' ? (byte) 0xFF : bytes[i];
    }

    ImportReport report = importAndCompare(Files.write(folder.resolve("s.jsonl"), bytes));

    assertThat(leaves(report)).containsExactly("b");
    assertThat(path(context(report, "b"))).extracting(Turn::encoding).containsExactly(Encoding.RAW, Encoding.JSON);
    assertThat(report.problems()).hasSize(1);
  }

  @Test
  void anEntryOf32MebibytesIsATurn() throws IOException {
    ImportReport report =
        importAndCompare(
            SessionText.headed().user("a", null, "x".repeat(32 << 20)).user("b", "a", "two")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.problems()).isEmpty();
    assertThat(path(context(report, "b")).getFirst().payloadSizeBytes()).isGreaterThan(32 << 20);
  }

  @Test
  void aLineOverTheLimitIsKeptInPieces() throws IOException {
    PiImport small = new PiImport(store, new Limits(2000, 100, 100));
    Path file =
        SessionText.headed().user("a", null, "one").user("b", "a", "x".repeat(10_000)).user("c", "b", "three")
            .write(folder.resolve("s.jsonl"));

    ImportReport report = small.session(file);

    comesBack(store, report);
    assertThat(report.turnsNew()).isEqualTo(2);
    assertThat(report.problems()).extracting(ImportReport.Problem::line).containsExactly(3L, 4L);
  }

  @Test
  void nestingWithoutEndIsBytesLikeOthers() throws IOException {
    String bomb = "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"x\":" + "[".repeat(1_000_000);

    ImportReport report = importAndCompare(SessionText.headed().line(bomb).write(folder.resolve("s.jsonl")));

    assertThat(report.turnsNew()).isZero();
    assertThat(report.problemCount()).isEqualTo(1);
  }

  @Test
  void typesThatAreNotPlainWordsAreAllOne() throws IOException {
    SessionText text = SessionText.headed();
    for (int i = 0; i < 500; i++) {
      text.line("{\"type\":\"kind-%d\",\"id\":\"k%d\",\"parentId\":\"k%d\"}".formatted(i, i, i - 1));
    }
    text.line("{\"type\":\"../../x\",\"id\":\"p\",\"parentId\":null}");

    importAndCompare(text.write(folder.resolve("s.jsonl")));

    assertThat(store.counts().types()).isLessThan(80);
  }

  @Test
  void namesFromAFileAreNeverPaths() throws IOException {
    ImportReport report =
        importAndCompare(
            new SessionText().line("{\"type\":\"session\",\"version\":3,\"id\":\"../../.bashrc\",\"cwd\":\"/etc\"}")
                .user("..", null, "x").write(folder.resolve("s.jsonl")));

    assertThat(report.session()).isEqualTo("../../.bashrc");
    assertThat(Files.exists(folder.resolve("../../.bashrc"))).isFalse();
  }

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
    assertThat(reports).filteredOn(r -> r.outcome() == Outcome.NEW).extracting(ImportReport::session)
        .containsExactly("2", "1");
    assertThat(reports).filteredOn(r -> r.outcome() == Outcome.FAILED).extracting(ImportReport::file)
        .contains(deep.resolve("loop"));
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> pi.folder(folder.resolve("no"), _ -> {})).isInstanceOf(StoreException.Io.class);
    assertThatThrownBy(() -> pi.session(folder)).isInstanceOf(StoreException.Io.class);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private ImportReport importAndCompare(Path file) throws IOException {
    ImportReport report = pi.session(file);
    comesBack(store, report);
    return report;
  }

  private List<ContextId> leafContexts(ImportReport report) {
    return ((PiAbout.Whole) PiExport.about(store, report.manifestContext())).contexts().stream()
        .filter(context -> ((PiAbout.Branch) PiExport.about(store, context)).former() == null)
        .toList();
  }

  private List<String> leaves(ImportReport report) {
    return leafContexts(report).stream()
        .map(context -> ((PiAbout.Branch) PiExport.about(store, context)).leaf())
        .toList();
  }

  private ContextId context(ImportReport report, String leaf) {
    return leafContexts(report).stream()
        .filter(context -> ((PiAbout.Branch) PiExport.about(store, context)).leaf().equals(leaf))
        .findFirst()
        .orElseThrow();
  }

  private List<Turn> path(ContextId context) {
    return store.last(context, 1000, View.LATEST).turns();
  }
}
