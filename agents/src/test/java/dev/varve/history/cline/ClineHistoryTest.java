// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.history.Archive;
import dev.varve.history.PlannedFile;
import dev.varve.history.PutBack;
import dev.varve.history.SessionAbout;
import dev.varve.history.claude.ClaudeProfile;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations of Cline: documents that are written anew each time.
class ClineHistoryTest {

  private static final String ID = "1795888064405_7mmyu";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new ClineProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private static MadeConversation talk() {
    return new MadeConversation(ID)
        .user("do it")
        .answer("looking", 3)
        .result("found")
        .answer("done", 4);
  }

  @Test
  void everyMessageIsATurnBelowTheOneBefore() throws IOException {
    ImportReport report = archive.take(talk().write(home()));

    ContextId leaf = report.contexts().all().getFirst();
    assertThat(report.contexts().all()).hasSize(1);
    assertThat(archive.turns(leaf))
        .extracting(turn -> turn.type().id())
        .containsExactly("cline.user", "cline.assistant", "cline.tool", "cline.assistant");
    assertThat(report.records().records()).as("the messages and their document").isEqualTo(5);
    assertThat(report.records().bookkeeping()).isEqualTo(1);
    assertThat(report.problems().count()).isZero();
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(view.folder()).isEqualTo("/src/shop");
    assertThat(view.title()).isEqualTo("Fix the shop");
    assertThat(view.session()).isEqualTo(ID);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void theUsageOfEachAnswerIsKeptWithItsKey() throws IOException {
    ImportReport report = archive.take(talk().write(home()));

    Payload usage = archive.store().get(archive.session(report).about().usage());
    assertThat(usage.text())
        .contains("{\"key\":\"" + ID + " msg_1\",\"input\":10,\"cached\":7,\"output\":3}")
        .contains("msg_3");
  }

  @Test
  void aDocumentThatWasCutBackIsABranchAndTheOldOneStays() throws IOException {
    ImportReport first = archive.take(talk().write(home()));
    ImportReport second =
        archive.take(talk().cut(2).user("another way").answer("fine", 1).write(home()));

    assertThat(second.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(second.records().turnsShared()).isEqualTo(2);
    assertThat(second.records().turnsNew()).isEqualTo(2);
    assertThat(archive.texts(first.contexts().all().getFirst()))
        .as("of the version before")
        .anyMatch(text -> text.contains("done"));
    assertThat(archive.session(second).about().previous()).isNotNull();
    assertThat(archive.take(home().resolve("data/sessions/" + ID + "/" + ID + ".json")).outcome())
        .isEqualTo(Outcome.UNCHANGED);
    archive.comesBack(second, home(), folder.resolve("back"));
  }

  @Test
  void aDocumentThatIsTornTakesNothingAway() throws IOException {
    Path file = talk().write(home());
    ImportReport first = archive.take(file);
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() - 200));

    ImportReport torn = archive.take(file);

    assertThat(torn.outcome()).isEqualTo(Outcome.OLDER);
    assertThat(archive.session(torn).manifest()).isEqualTo(archive.session(first).manifest());
  }

  @Test
  void ofATornDocumentTheMessagesBeforeTheTearAreTurns() throws IOException {
    Path file = talk().write(home());
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.indexOf("found")));

    ImportReport report = archive.take(file);

    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(report.problems().count()).isEqualTo(2);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aMessageOfAnUnknownKindKeepsItsPlace() throws IOException {
    ImportReport report =
        archive.take(talk().message("\"role\": \"critic\", \"content\": \"hm\"").write(home()));

    assertThat(report.records().bookkeeping()).isEqualTo(2);
    assertThat(report.records().turns()).isEqualTo(4);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aSubAgentHasAContextOfItsOwn() throws IOException {
    Path main = talk().write(home());
    Files.writeString(
        main.resolveSibling("agent_1_x.messages.json"),
        new MadeConversation(ID).user("look").answer("v0", 1).document());

    ImportReport report = archive.take(main);

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(report.records().turns()).isEqualTo(6);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aTaskOfTheExtensionComesBackWithItsDisplayAndTheListOfTasks() throws IOException {
    Path task = Files.createDirectories(home().resolve("tasks/1767225600000"));
    Files.createDirectories(home().resolve("state"));
    Path list = home().resolve("state/taskHistory.json");
    Files.writeString(
        list,
        "[{\"id\":\"1\",\"task\":\"no\"},{\"id\":\"1767225600000\",\"task\":\"Say hello\","
            + "\"cwdOnTaskInitialization\":\"/src/shop\"}]");
    Files.writeString(
        task.resolve("ui_messages.json"),
        "[{\"ts\":1,\"type\":\"say\",\"say\":\"api_req_started\",\"text\":\"{\\\"request\\\":\\\""
            + "x".repeat(3000)
            + "\\\",\\\"tokensIn\\\":10,\\\"tokensOut\\\":2,\\\"cacheReads\\\":5}\"}]");
    Files.writeString(task.resolve("task_metadata.json"), "{\"files_in_context\":[]}");
    Path main =
        Files.writeString(
            task.resolve("api_conversation_history.json"),
            MadeConversation.legacy(
                "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<task>hi</task>\"}]}",
                "{\"role\":\"assistant\",\"content\":\"Hello!\"}"));

    ImportReport report = archive.take(main);

    SessionAbout about = archive.session(report).about();
    assertThat(report.records().turns()).isEqualTo(2);
    assertThat(report.records().bookkeeping()).as("two documents, one line shown").isEqualTo(3);
    assertThat(about.view().title()).isEqualTo("Say hello");
    assertThat(about.view().folder()).isEqualTo("/src/shop");
    assertThat(archive.store().get(about.usage()).text())
        .contains("\"input\":15,\"cached\":5,\"output\":2");
    archive.comesBack(report, home(), folder.resolve("back"));

    Files.writeString(list, "[{\"id\":\"2\",\"task\":\"another one\"}]");
    assertThat(archive.take(main).outcome()).as("the list is shared").isEqualTo(Outcome.UNCHANGED);
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    assertThat(putBack.plan(archive.session(report), home()).files())
        .extracting(PlannedFile::state)
        .containsOnly(PlannedFile.State.SAME, PlannedFile.State.KEPT);
  }

  @Test
  void theCopiesOfALongTaskThatIsWrittenAnewCostLittle() throws IOException {
    MadeConversation talk = new MadeConversation(ID);
    SplittableRandom random = new SplittableRandom(14);
    Path file = talk.write(home());
    try (Store all = LocalStore.open(folder.resolve("all"), StoreOptions.DEFAULTS);
        Store last = LocalStore.open(folder.resolve("last"), StoreOptions.DEFAULTS)) {
      for (int version = 0; version < 100; version++) {
        for (int i = 0; i < 8; i++) {
          talk.user(words(random, 20)).answer(words(random, 400), 1);
        }
        file = talk.write(home());
        ImportReport _ = new Archive(all, new ClineProfile()).take(file);
      }
      ImportReport _ = new Archive(last, new ClineProfile()).take(file);

      assertThat(all.counts().storedBytes()).isLessThan(last.counts().storedBytes() * 13 / 10);
    }
  }

  private static String words(SplittableRandom random, int count) {
    return random
        .ints(count, 0, 1 << 16)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void aFileOfAnotherAgentIsRefusedByName() throws IOException {
    Path file = talk().write(home());

    assertThatThrownBy(() -> Archive.of(new ClaudeProfile()).take(file))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("found a Cline conversation");
    Path other = Files.writeString(folder.resolve("x.messages.json"), "[{\"a\": 1}]");
    assertThatThrownBy(() -> archive.take(other)).isInstanceOf(StoreException.Invalid.class);
    assertThat(archive.store().contexts(null, 1)).isEmpty();
  }
}
