// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up chats of aider.
class AiderHistoryTest {

  private static final String NAME = ".aider.chat.history.md";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new AiderProfile());

  private Path write(String text) throws IOException {
    Path shop = Files.createDirectories(folder.resolve("shop"));
    Files.writeString(shop.resolve(".aider.input.history"), "+oil the hinge\n");
    return Files.writeString(shop.resolve(NAME), text);
  }

  @Test
  void eachLaunchIsAContextOfPromptsAnswersAndRemarks() throws IOException {
    Path file =
        write(
            """

            # aider chat started at 2026-02-03 10:00:00

            > Added hinge.py to the chat.

            #### oil the hinge
            #### and the lock

            Both are oiled.

            A second paragraph.

            # aider chat started at 2026-02-04 09:00:00

            #### oil the hinge
            """);

    ImportReport report = archive.take(file);

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(report.records().records()).isEqualTo(6);
    assertThat(report.records().turns()).isEqualTo(4);
    assertThat(archive.texts(report.contexts().all().getFirst()))
        .containsExactly(
            said("tool", "Added hinge.py to the chat.", "2026-02-03 10:00:00"),
            said("user", "oil the hinge\\nand the lock", "2026-02-03 10:00:00"),
            said("assistant", "Both are oiled.\\n\\nA second paragraph.", "2026-02-03 10:00:00"));
    assertThat(archive.session(report).about().view().title()).isEqualTo("oil the hinge");
    archive.comesBack(report, folder.resolve("shop"), folder.resolve("back"));
  }

  private static String said(String role, String text, String launch) {
    return "{\"role\":\"" + role + "\",\"text\":\"" + text + "\",\"launch\":\"" + launch + "\"}";
  }

  @Test
  void aLineWithinABlockOfCodeIsNoPrompt() throws IOException {
    ImportReport report =
        archive.take(
            write(
                """
                # aider chat started at 2026-02-03 10:00:00

                #### write the page

                ```
                #### a heading
                > a quotation
                ```
                Done.

                """));

    assertThat(report.records().turns()).isEqualTo(2);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("aider.user", "aider.assistant");
  }

  @Test
  void aHistoryThatGrewIsTheSameSession() throws IOException {
    String begun = "# aider chat started at 2026-02-03 10:00:00\n\n#### oil the hinge\n";
    ImportReport first = archive.take(write(begun));
    ImportReport second = archive.take(write(begun + "\nIt is oiled.\n\n"));

    assertThat(second.manifest().context()).isEqualTo(first.manifest().context());
    assertThat(second.records().turnsShared()).isEqualTo(1);
    assertThat(second.records().turnsNew()).isEqualTo(1);
  }

  /// Imports a history after each of the parts that aider writes: no part makes another context.
  private ImportReport growing(String... parts) throws IOException {
    StringBuilder text = new StringBuilder();
    ImportReport report = null;
    for (String part : parts) {
      report = archive.take(write(text.append(part).toString()));
      assertThat(report.contexts().all()).as(part).hasSizeLessThanOrEqualTo(1);
    }
    return report;
  }

  @Test
  void eachPartThatAiderWritesIsAppended() throws IOException {
    ImportReport report =
        growing(
            "\n# aider chat started at 2026-02-03 10:00:00\n\n",
            "> Aider v1  \n",
            "> Model: m  \n",
            "\n#### oil the hinge  \n",
            "\nIt is\n\noiled.\n\n",
            "\nAnd again.\n\n",
            "> Tokens: 3  \n",
            "> Commit 1  \n",
            "\n#### /clear  \n",
            "\n#### paint it",
            " red  \n",
            "\n```\nhalf\n\n",
            "```\n",
            "Done.\n",
            "\n");

    assertThat(archive.texts(report.contexts().all().getFirst()))
        .extracting(text -> text.replaceFirst(",\"launch.*", "").replaceFirst("\\{\"role\":", ""))
        .containsExactly(
            "\"tool\",\"text\":\"Aider v1\\nModel: m\"",
            "\"user\",\"text\":\"oil the hinge\"",
            "\"assistant\",\"text\":\"It is\\n\\noiled.\"",
            "\"assistant\",\"text\":\"And again.\"",
            "\"tool\",\"text\":\"Tokens: 3\\nCommit 1\"",
            "\"user\",\"text\":\"/clear\"",
            "\"user\",\"text\":\"paint it red\"",
            "\"assistant\",\"text\":\"```\\nhalf\\n\\n```\\nDone.\"");
  }

  @Test
  void aBlockOfCodeThatIsNeverClosedIsSeveralTurns() throws IOException {
    String line = "\u0001\uD83D\uDE00".repeat(100_000);

    ImportReport report =
        archive.take(
            write(
                "# aider chat started at 1\n\n#### go\n\n```\n"
                    + (line + "\n\n").repeat(8)
                    + "\n# aider chat started at 2\n"));

    List<String> texts = archive.texts(report.contexts().all().getFirst());
    assertThat(texts).hasSize(4).allMatch(text -> text.length() < 3 << 20);
    assertThat(String.join("", texts).split("\\uD83D\\uDE00", -1)).hasSize(800_001);
  }

  @Test
  void theFolderIsThatOfTheVariableElseTheHome() throws IOException {
    write("# aider chat started at 2026-02-03 10:00:00\n");

    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(folder);
    assertThat(
            archive
                .profile()
                .homes(
                    new AgentEnvironment(
                        folder,
                        name ->
                            Map.of("AIDER_CHAT_HISTORY_FILE", "/c/x.md").getOrDefault(name, ""))))
        .containsExactly(Path.of("/c"), Path.of("/c/x.md"));
    assertThat(archive.profile().sessions(folder.resolve("shop"))).hasSize(1);
    assertThat(archive.profile().sessions(folder)).isEmpty();
  }

  @Test
  void aHistoryWithTheNameThatTheVariableGivesIsFound() throws IOException {
    Path file = Files.move(write("# aider chat started at 1\n"), folder.resolve("shop/x.md"));

    List<Path> homes = archive.profile().homes(new AgentEnvironment(folder, _ -> file.toString()));

    assertThat(homes)
        .flatExtracting(home -> archive.profile().sessions(home))
        .extracting(session -> session.main().path())
        .containsExactly(file);
    assertThat(homes.getFirst()).as("put back there").isEqualTo(folder.resolve("shop"));
    assertThat(archive.profile().watched(file)).containsExactly(file);
  }
}
