// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.codex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.varve.StoreException;
import dev.varve.history.Archive;
import dev.varve.history.CountedSource;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryProfile;
import dev.varve.history.OneImport;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rollouts of Codex, with the mistakes that readers of them are known to make.
class CodexHistoryTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new CodexProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private List<String> texts(ImportReport report) {
    return archive.texts(report.contexts().all().getLast());
  }

  @Test
  void whatIsSaidTwiceIsShownOnce() throws IOException {
    ImportReport report = archive.take(MadeRollout.of(1).user("go").answer("done").write(home()));

    assertThat(texts(report)).hasSize(2).allMatch(text -> text.contains("\"message\""));
    assertThat(report.records().records()).isEqualTo(5);
    assertThat(report.records().bookkeeping()).isEqualTo(3);
    assertThat(archive.session(report).about().view().title()).isEqualTo("go");
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void theCommandsOfAScriptExistAsEventsOnly() throws IOException {
    ImportReport report =
        archive.take(
            MadeRollout.of(1)
                .item("{\"type\":\"custom_tool_call\",\"call_id\":\"c1\",\"name\":\"exec\"}")
                .event(
                    "{\"type\":\"item_completed\",\"item\":{\"type\":\"CommandExecution\","
                        + "\"id\":\"c1\"}}")
                .event(
                    "{\"type\":\"item_completed\",\"item\":{\"type\":\"CommandExecution\","
                        + "\"id\":\"exec-9\"}}")
                .write(home()));

    assertThat(texts(report)).hasSize(2).last().asString().contains("exec-9");
  }

  @Test
  void aForkGoesOnFromAPointOfItsParentAndSharesItsTurns() throws IOException {
    MadeRollout parent = MadeRollout.of(1).user("one").answer("first");
    MadeRollout fork = parent.fork(2).user("two").answer("in the fork");
    parent.user("later").answer("not in the fork");
    ImportReport first = archive.take(parent.write(home()));

    ImportReport second = archive.take(fork.write(home()));

    assertThat(second.records().turnsNew()).isEqualTo(2);
    assertThat(second.records().records()).as("its own lines").isEqualTo(5);
    assertThat(texts(second)).hasSize(4);
    assertThat(texts(second).subList(0, 2)).isEqualTo(texts(first).subList(0, 2));
    Path back = folder.resolve("back");
    archive.comesBack(second, home(), back);
    assertThat(archive.session(second).about().base()).isEqualTo(MadeRollout.id(1));
    assertThat(back.resolve(home().relativize(parent.write(home())))).as("the base").exists();
  }

  @Test
  void aSegmentIsNoneOfTheThreadsOtherFilesAndMayBeABaseItself() throws IOException {
    MadeRollout first = MadeRollout.of(1).user("one").answer("first");
    MadeRollout second = first.segment(1, 5).user("again");
    MadeRollout third = second.fork(6).user("fork of the segment");
    archive.take(first.write(home()));
    archive.take(second.write(home()));

    ImportReport report = archive.take(third.write(home()));

    assertThat(texts(report)).hasSize(4);
    assertThat(report.records().turnsNew()).isEqualTo(1);
  }

  @Test
  void aForkWhoseParentComesLaterIsMadeWholeByTheNextImport() throws IOException {
    MadeRollout parent = MadeRollout.of(1).user("one").answer("first");
    Path fork = parent.fork(2).user("two").write(home());
    ImportReport before = archive.take(fork);
    assertThat(before.problems().count()).isEqualTo(1);
    assertThat(texts(before)).hasSize(1);
    archive.take(parent.write(home()));

    ImportReport after = archive.take(fork);

    assertThat(texts(after)).hasSize(3);
    assertThat(after.problems().count()).isZero();
  }

  @Test
  void aForkOfOlderVersionsRepeatsTheSameTurns() throws IOException {
    MadeRollout parent = MadeRollout.legacy(1).user("one").answer("first");
    archive.take(parent.write(home()));

    ImportReport fork =
        archive.take(MadeRollout.legacy(2).copyOf(parent).user("two").write(home()));

    assertThat(fork.records().turnsShared()).isEqualTo(2);
    assertThat(fork.records().turnsNew()).isEqualTo(1);
    assertThat(fork.session()).isEqualTo(MadeRollout.id(2));
  }

  @Test
  void turnsThatWereTakenBackAreABranch() throws IOException {
    ImportReport report =
        archive.take(
            MadeRollout.legacy(1)
                .user("one")
                .answer("first")
                .user("two")
                .answer("second")
                .event("{\"type\":\"thread_rolled_back\",\"num_turns\":1}")
                .user("two, other way")
                .write(home()));

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(texts(report)).hasSize(3).noneMatch(text -> text.contains("second"));
  }

  @Test
  void aCompressedRolloutIsTheSameSessionAndComesBackCompressed() throws IOException {
    MadeRollout rollout = MadeRollout.of(1).user("one").answer("first");
    Path plain = rollout.write(home());
    ImportReport first = archive.take(plain);
    Files.delete(plain);
    byte[] packed = Zstd.compress(rollout.text().getBytes(StandardCharsets.UTF_8));

    ImportReport second =
        archive.take(rollout.write(home(), "archived_sessions", ".jsonl.zst", packed));

    assertThat(second.records().turnsNew()).isZero();
    assertThat(second.contexts().all()).isEqualTo(first.contexts().all());
    assertThat(archive.session(second).manifest().files())
        .extracting(file -> file.kind())
        .containsExactly(HistoryFile.Kind.PACKED_TRANSCRIPT);
    archive.comesBack(second, home(), folder.resolve("back"));
  }

  @Test
  void aCompressedRolloutThatIsCutIsRefused() throws IOException {
    byte[] packed =
        Zstd.compress(MadeRollout.of(1).user("one").text().getBytes(StandardCharsets.UTF_8));
    byte[] cut = Arrays.copyOf(packed, packed.length - 9);
    Path file = MadeRollout.of(1).write(home(), "sessions", ".jsonl.zst", cut);

    assertThatThrownBy(() -> archive.take(file)).isInstanceOf(StoreException.Io.class);
    assertThat(archive.store().counts().contexts()).isZero();
  }

  @Test
  void aRewriteThatDropsTurnsKeepsTheVersionBefore() throws IOException {
    MadeRollout rollout = MadeRollout.legacy(1).user("one").answer("first").user("two");
    ImportReport before = archive.take(rollout.write(home()));
    rollout.write(
        home(),
        "sessions/2026/11/28",
        ".jsonl",
        MadeRollout.of(1).user("one").text().getBytes(StandardCharsets.UTF_8));

    ImportReport after = archive.take(archive.profile().sessions(home()).getFirst().main().path());

    assertThat(after.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(archive.texts(before.contexts().all().getFirst())).hasSize(3);
    assertThat(archive.session(after).about().previous()).isNotNull();
  }

  @Test
  void repeatedCountsOfTokensCountOnce() throws IOException {
    String count =
        "{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{\"total_tokens\":30,"
            + "\"output_tokens\":9},\"last_token_usage\":{\"input_tokens\":21,"
            + "\"cached_input_tokens\":4,\"output_tokens\":9}}}";
    ImportReport report =
        archive.take(MadeRollout.legacy(1).user("one").event(count).event(count).write(home()));

    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .isEqualTo(
            "[{\"key\":\"token_count "
                + MadeRollout.id(1)
                + " 30/9\",\"input\":21,\"cached\":4,\"output\":9}]");
  }

  @Test
  void ofSeveralCopiesThePlainOneCountsAndAllAreKept() throws IOException {
    MadeRollout rollout = MadeRollout.of(1).user("one");
    Path plain = rollout.write(home());
    byte[] packed = Zstd.compress(rollout.text().getBytes(StandardCharsets.UTF_8));
    rollout.write(home(), "sessions/2026/11/28", ".jsonl.zst", packed);

    var session = archive.profile().sessions(home()).getFirst();

    assertThat(session.main().path()).isEqualTo(plain);
    assertThat(session.files()).hasSize(2);
  }

  @Test
  void newLinesAreReadWithoutTheLinesBefore() throws IOException {
    MadeRollout rollout = MadeRollout.of(1).user("zero");
    HistoryProfile profile = archive.profile();
    archive.take(rollout.write(home()));
    for (int step = 1; step <= 4; step++) {
      rollout
          .user("prompt " + step)
          .item("{\"type\":\"custom_tool_call\",\"call_id\":\"c" + step + "\",\"name\":\"x\"}")
          .event(
              "{\"type\":\"item_completed\",\"item\":{\"type\":\"CommandExecution\",\"id\":\"c"
                  + (step == 3 ? "-script" : step)
                  + "\"}}")
          .event(
              "{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{\"total_tokens\":"
                  + step / 2
                  + "},\"last_token_usage\":{\"input_tokens\":7,\"output_tokens\":1}}}")
          .answer("answer " + step);
      if (step == 4) {
        rollout.event("{\"type\":\"thread_rolled_back\",\"num_turns\":1}").user("other way");
      }
      Path file = rollout.write(home());
      CountedSource source = new CountedSource(profile.session(file).main().source());

      ImportReport report = archive.take(source.inPlaceOf(profile.session(file)));

      assertThat(source.streamed()).isZero();
      OneImport.isSame(archive, report, file, false);
    }
  }

  @Test
  void newLinesOfAForkAreReadWithoutItsParent() throws IOException {
    MadeRollout parent = MadeRollout.of(1).user("one").answer("first");
    MadeRollout fork = parent.fork(2).user("two");
    archive.take(parent.write(home()));
    archive.take(fork.write(home()));
    Path file = fork.answer("in the fork").write(home());
    HistoryProfile profile = archive.profile();
    CountedSource source = new CountedSource(profile.session(file).main().source());

    ImportReport report = archive.take(source.inPlaceOf(profile.session(file)));

    assertThat(source.streamed()).isZero();
    assertThat(texts(report)).hasSize(4);
    assertThat(archive.session(report).about().base()).isEqualTo(MadeRollout.id(1));
  }
}
