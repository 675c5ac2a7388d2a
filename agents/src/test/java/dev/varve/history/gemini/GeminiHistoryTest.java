// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import static dev.varve.history.gemini.MadeLog.begun;
import static dev.varve.history.gemini.MadeLog.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.history.Archive;
import dev.varve.history.ArchivedFile;
import dev.varve.history.PlannedFile;
import dev.varve.history.PutBack;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of Gemini CLI's sessions: which belong together, what is kept of them, and how they
/// are put back.
class GeminiHistoryTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new GeminiProfile());

  private Path home() {
    return folder.resolve(".gemini");
  }

  private ImportReport take(MadeLog log) throws IOException {
    return archive.take(log.write(home()));
  }

  @Test
  void aLogBesideTheDocumentThatItGoesOnFromIsTheSession() throws IOException {
    Path log = begun().step("1").write(home());
    Path document = log.resolveSibling(MadeLog.NAME + ".json");
    Files.writeString(document, "{\n  \"sessionId\": \"s\",\n  \"messages\": []\n}\n");

    List<SessionFiles> sessions = new GeminiProfile().sessions(home());

    assertThat(sessions).hasSize(1);
    assertThat(sessions.getFirst().main().path()).isEqualTo(log);
    archive.comesBack(archive.take(document), home(), folder.resolve("back"));
    assertThat(folder.resolve("back/tmp/shop/chats").resolve(document.getFileName())).exists();
  }

  @Test
  void aFileThatTheAgentLeavesAfterAResumeIsNotTakenForTheSession() throws IOException {
    Path log = begun().step("1").write(home());
    ImportReport first = archive.take(log);
    Path stub = log.resolveSibling("session-2026-11-28T17-45-0a1b2c3d.jsonl");
    Files.writeString(stub, begun().text());
    archive.take(stub);
    Files.delete(log);

    archive.take(stub);

    assertThat(new GeminiProfile().sessions(home())).hasSize(1);
    assertThat(archive.session(first).manifest().files())
        .filteredOn(file -> file.slot().equals("main"))
        .extracting(ArchivedFile::name)
        .containsExactly("tmp/shop/chats/" + MadeLog.NAME + ".jsonl");
  }

  @Test
  void subAgentsAndLargeOutputsComeWithTheSession() throws IOException {
    Path log = begun().step("1").write(home());
    Path agent = log.resolveSibling(MadeLog.ID).resolve("a1.jsonl");
    Files.createDirectories(agent.getParent());
    Files.writeString(
        agent,
        "{\"sessionId\":\"a1\",\"projectHash\":\"h\",\"kind\":\"subagent\",\"directories\":[\"/src/shop\"]}\n"
            + user("x1", "sub job")
            + "\n{\"$set\":{\"summary\":\"{\\\"response\\\":1}\"}}\n");
    write("tmp/shop/tool-outputs/session-" + MadeLog.ID + "/shell__1.txt", "large");

    ImportReport report = archive.take(log);

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(archive.session(report).manifest().files()).hasSize(3);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  private Path write(String name, String text) throws IOException {
    Path file = home().resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private void writeProject() throws IOException {
    write("projects.json", "{\"projects\":{\"/src/shop\":\"shop\"}}");
    write("tmp/shop/.project_root", "/src/shop");
    write("tmp/shop/logs.json", "[]");
    write("tmp/shop/checkpoint-point-a.json", "{}");
    write("tmp/shop/checkpoints/1-a.txt-write_file.json", "{}");
    write("history/shop/.git/HEAD", "ref: refs/heads/main\n");
  }

  @Test
  void theFilesOfTheProjectComeWithItsNewestSessionAndKeysNever() throws IOException {
    writeProject();
    for (String secret :
        List.of("oauth_creds.json", "settings.json", ".env", "google_accounts.json")) {
      write(secret, "secret");
      write("tmp/shop/" + secret, "secret");
    }
    Path log = begun().step("1").write(home());

    ImportReport report = archive.take(log);

    assertThat(archive.session(report).manifest().files())
        .extracting(ArchivedFile::name)
        .containsExactlyInAnyOrder(
            "tmp/shop/chats/" + MadeLog.NAME + ".jsonl",
            "projects.json",
            "tmp/shop/.project_root",
            "tmp/shop/logs.json",
            "tmp/shop/checkpoint-point-a.json",
            "tmp/shop/checkpoints/1-a.txt-write_file.json",
            "history/shop/.git/HEAD");
    archive.comesBack(report, home(), folder.resolve("back"));

    Files.writeString(
        log.resolveSibling("session-2026-12-01T00-00-ffffffff.jsonl"), begun().text());
    assertThat(new GeminiProfile().session(log).files()).hasSize(1);
  }

  @Test
  void everyVersionOfARewrittenFileStays() throws IOException {
    writeProject();
    ImportReport first = archive.take(begun().step("1").write(home()));
    ArchivedFile before = logs(first);
    write("tmp/shop/logs.json", "[{\"sessionId\":\"s\"}]");

    ImportReport second = archive.take(begun().step("1").write(home()));

    assertThat(logs(second).sizeBytes()).isNotEqualTo(before.sizeBytes());
    assertThat(archive.store().get(before.content().hash()).text()).isEqualTo("[]");
  }

  private ArchivedFile logs(ImportReport report) {
    return archive.session(report).manifest().find("project/tmp/shop/logs.json").orElseThrow();
  }

  @Test
  void aSharedFileThatHasGoneOnStandsInNobodysWay() throws IOException {
    writeProject();
    ImportReport report = archive.take(begun().step("1").write(home()));
    Path back = folder.resolve("back");
    Files.createDirectories(back);
    Path registry = back.resolve("projects.json");
    Files.writeString(registry, "{\"projects\":{\"/src/shop\":\"shop\",\"/src/b\":\"b\"}}");
    PutBack putBack = new PutBack(archive.store(), archive.profile());

    PutBackPlan plan = putBack.plan(archive.session(report), back);
    putBack.write(plan);

    assertThat(plan.files())
        .filteredOn(file -> file.state() == PlannedFile.State.KEPT)
        .extracting(PlannedFile::path)
        .containsExactly(registry);
    assertThat(registry).content().contains("/src/b");
    assertThat(back.resolve("tmp/shop/logs.json")).exists();
    assertThat(String.join("\n", new GeminiProfile().afterPutBack(plan)))
        .contains("gemini --resume " + MadeLog.ID)
        .doesNotContain("belongs to");
  }

  @Test
  void aNameThatAnotherFolderOwnsIsSaidBeforeTheAgentSeesNothing() throws IOException {
    ImportReport report = archive.take(begun().step("1").write(home()));
    PutBackPlan plan =
        new PutBack(archive.store(), archive.profile())
            .plan(archive.session(report), folder.resolve("back"));
    Files.createDirectories(plan.home());
    Path registry = plan.home().resolve("projects.json");

    Files.writeString(registry, "{\"projects\":{\"/src/other\":\"shop\"}}");
    assertThat(String.join("\n", new GeminiProfile().afterPutBack(plan)))
        .contains("tmp/shop belongs to /src/other");
    Files.writeString(registry, "{\"projects\":{\"/src/shop\":\"shop-1\"}}");
    assertThat(String.join("\n", new GeminiProfile().afterPutBack(plan))).contains("in tmp/shop-1");
    Files.writeString(registry, "[not json");
    assertThat(new GeminiProfile().afterPutBack(plan)).hasSizeGreaterThan(1);
  }

  @Test
  void aSessionThatTheAgentWouldDeleteForItsAgeIsSaid() throws IOException {
    MadeLog old = new MadeLog();
    old.line(begun().step("1").text().strip().replace("2026-11", "2020-11"));
    ImportReport report = archive.take(old.write(home()));
    PutBackPlan plan =
        new PutBack(archive.store(), archive.profile())
            .plan(archive.session(report), folder.resolve("back"));

    assertThat(String.join("\n", new GeminiProfile().afterPutBack(plan)))
        .contains("older than 30 days")
        .contains("varve sync");
  }

  @Test
  void aFileThatIsNoSessionIsRefusedByNameAndLeavesNoTrace() throws IOException {
    Path claude =
        Files.writeString(folder.resolve("c.jsonl"), "{\"uuid\":\"u\",\"parentUuid\":null}\n");
    Path prompts =
        Files.writeString(
            folder.resolve("logs.json"),
            "[{\"sessionId\":\"s\",\"messageId\":0,\"type\":\"user\",\"message\":\"hello\"}]");

    assertThatThrownBy(() -> archive.take(claude))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected a Gemini CLI session, found a Claude Code transcript")
        .hasMessageContaining("varve import claude-code");
    assertThatThrownBy(() -> archive.take(prompts)).isInstanceOf(StoreException.Invalid.class);
    assertThat(archive.store().counts().contexts()).isZero();
    assertThat(archive.store().counts().turns()).isZero();
  }

  @Test
  void aLogThatGrowsCostsTheStoreWhatIsNewAndASecondImportNothing() throws IOException {
    MadeLog log = begun();
    for (int i = 0; i < 200; i++) {
      log.step("x" + i);
    }
    Path file = log.write(home());
    archive.take(file);
    long before = archive.store().counts().turns();
    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.UNCHANGED);

    ImportReport grown = archive.take(log.step("new").write(home()));

    assertThat(grown.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(grown.records().turnsNew()).isEqualTo(4);
    assertThat(archive.store().counts().turns() - before).as("and a manifest").isEqualTo(5);
  }
}
