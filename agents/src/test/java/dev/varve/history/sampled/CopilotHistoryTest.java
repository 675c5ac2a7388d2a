// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.history.claude.ClaudeProfile;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up logs of Copilot CLI.
class CopilotHistoryTest {

  private static final String START =
      event(
          "session.start",
          "s",
          null,
          "{\"sessionId\":\"c-1\",\"context\":{\"cwd\":\"/src/shop\"}}");

  @TempDir Path home;
  @TempDir Path back;
  private final Archive archive = Archive.of(new CopilotProfile());

  private static String event(String type, String id, String parent, String data) {
    return "{\"type\":\"%s\",\"data\":%s,\"id\":\"%s\",\"timestamp\":\"2026-02-03T10:00:00Z\",\"parentId\":%s}\n"
        .formatted(type, data, id, parent == null ? "null" : '"' + parent + '"');
  }

  private static String said(String who, String id, String parent, String text) {
    return event(who + ".message", id, parent, "{\"content\":\"" + text + "\"}");
  }

  private Path write(String... events) throws IOException {
    Path folder = Files.createDirectories(home.resolve("session-state/c-1"));
    Files.writeString(folder.resolve("workspace.yaml"), "id: c-1\nname: \"Paint the door\"\n");
    return Files.writeString(folder.resolve("events.jsonl"), String.join("", events));
  }

  @Test
  void aRecordStandsBelowTheOneThatItNamesThroughBookkeeping() throws IOException {
    Path file =
        write(
            START,
            said("user", "u1", "s", "paint it"),
            event("assistant.turn_start", "t1", "u1", "{}"),
            said("assistant", "a1", "t1", "red"),
            event("tool.execution_start", "x1", "a1", "{\"toolCallId\":\"c\"}"),
            event("tool.execution_complete", "x2", "x1", "{\"toolCallId\":\"c\"}"),
            said("user", "u2", "t1", "no, blue"));

    ImportReport report = archive.take(file);

    assertThat(report.records().records()).isEqualTo(7);
    assertThat(report.records().turns()).isEqualTo(5);
    assertThat(report.records().bookkeeping()).isEqualTo(2);
    assertThat(report.contexts().all()).as("two branches").hasSize(2);
    assertThat(archive.texts(report.contexts().all().getLast()))
        .satisfiesExactly(
            first -> assertThat(first).contains("paint it"),
            second -> assertThat(second).contains("no, blue"));
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(List.of(view.session(), view.folder(), view.title()))
        .containsExactly("c-1", "/src/shop", "Paint the door");
    archive.comesBack(report, home, back);
  }

  @Test
  void anOlderLogWithoutParentsIsOneLine() throws IOException {
    ImportReport report =
        archive.take(
            write(
                START,
                said("user", "u1", null, "paint it"),
                event("assistant.turn_start", "t1", null, "{}"),
                said("assistant", "a1", null, "red")));

    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("copilot.user", "copilot.assistant");
  }

  @Test
  void ofEachPartOfALogTheLastSumCounts() throws IOException {
    ImportReport report =
        archive.take(
            write(
                START,
                said("user", "u1", "s", "paint it"),
                shutdown("d1", 10),
                shutdown("d2", 25),
                event("session.resume", "r", "d2", "{}"),
                shutdown("d3", 7)));

    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .isEqualTo(
            "[{\"key\":\"c-1 0 m\",\"input\":25,\"cached\":3,\"output\":2},"
                + "{\"key\":\"c-1 1 m\",\"input\":7,\"cached\":3,\"output\":2}]");
  }

  private static String shutdown(String id, long input) {
    return event(
        "session.shutdown",
        id,
        "u1",
        "{\"modelMetrics\":{\"m\":{\"usage\":{\"inputTokens\":%d,\"outputTokens\":2,\"cacheReadTokens\":3}}}}"
            .formatted(input));
  }

  @Test
  void anEventThatIsGluedToATornOneIsRead() throws IOException {
    String torn = said("assistant", "a0", "u1", "half of it").substring(0, 40);
    ImportReport report =
        archive.take(
            write(
                START,
                said("user", "u1", "s", "paint it"),
                torn + said("assistant", "a1", "u1", "red")));

    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(report.records().turns()).isEqualTo(2);
    archive.comesBack(report, home, back);
  }

  @Test
  void logsThatWereCopiedElsewhereAreEachASessionOfItsOwn() throws IOException {
    Path log = write(START, said("user", "u1", "s", "paint it"));
    Path one = Files.createDirectories(back.resolve("one")).resolve("events.jsonl");
    Path two = Files.createDirectories(back.resolve("two")).resolve("events.jsonl");
    Files.copy(log, one);
    Files.writeString(two, START + said("user", "u9", "s", "glaze it"));

    ImportReport first = archive.take(one);
    ImportReport second = archive.take(two);

    assertThat(second.outcome()).isEqualTo(ImportReport.Outcome.NEW);
    assertThat(second.manifest().context()).isNotEqualTo(first.manifest().context());
    assertThat(archive.take(one).outcome()).isEqualTo(ImportReport.Outcome.UNCHANGED);
    String id = "0a1b2c3d-0000-4000-8000-000000000001";
    assertThat(archive.profile().session(back.resolve(id + ".jsonl")).key()).isEqualTo(id);
  }

  @Test
  void anEventInAnotherIsNoRecordOfItsOwn() throws IOException {
    String inner = "{\"type\":\"user.message\",\"data\":{}}";
    ImportReport report =
        archive.take(
            write(START, event("assistant.message", "a1", "s", "{\"content\":[" + inner + "]}")));

    assertThat(report.records().records()).isEqualTo(2);
    assertThat(report.records().turns()).isEqualTo(1);
  }

  @Test
  void theFoldersAreThoseOfTheVariableElseOfTheHome() throws IOException {
    CopilotProfile profile = new CopilotProfile();
    write(START, said("user", "u1", "s", "paint it"));
    Files.writeString(home.resolve("session-state/flat.jsonl"), START);

    assertThat(profile.homes(new AgentEnvironment(home, _ -> "")))
        .containsExactly(home.resolve(".copilot"));
    assertThat(profile.homes(new AgentEnvironment(home, Map.of("COPILOT_HOME", "/c")::get)))
        .containsExactly(Path.of("/c"));
    assertThat(profile.sessions(home)).extracting(SessionFiles::key).containsExactly("c-1", "flat");
  }

  @Test
  void otherFormatsAreRefusedByName() throws IOException {
    Path file = write(START, said("user", "u1", "s", "paint it"));

    assertThatThrownBy(() -> Archive.of(new ClaudeProfile()).take(file))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("found a Copilot CLI session ('varve import copilot')");
    Path other =
        Files.writeString(home.resolve("x.jsonl"), "{\"type\":\"session\",\"id\":\"p\"}\n");
    assertThatThrownBy(() -> archive.take(other)).hasMessageContaining("found a session of Pi");
    assertThat(archive.store().contexts(null, 1)).isEmpty();
  }
}
