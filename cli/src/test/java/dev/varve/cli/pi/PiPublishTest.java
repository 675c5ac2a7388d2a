// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PiPublishTest {

  @TempDir Path folder;

  private Path project;
  private Path root;
  private Path fork;

  @BeforeEach
  void writeSessions() throws IOException {
    project = Files.createDirectory(folder.toRealPath().resolve("shop"));
    root = session("2026-01-05T09-00-00-000Z_aaaa-1.jsonl", "aaaa-1", "");
    fork = session("2026-01-05T09-10-00-000Z_bbbb-2.jsonl", "bbbb-2", root.toString());
  }

  private Path session(String name, String id, String parent) throws IOException {
    String cwdFolder = "--" + project.toString().substring(1).replace('/', '-') + "--";
    Path sessions = Files.createDirectories(folder.resolve("agent/sessions").resolve(cwdFolder));
    String header =
        "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-05T09:00:00.000Z\",\"cwd\":\"%s\"%s}\n"
            .formatted(
                id, project, parent.isEmpty() ? "" : ",\"parentSession\":\"" + parent + "\"");
    return Files.writeString(
            sessions.resolve(name),
            header + "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null}\n")
        .toRealPath();
  }

  private Call.Result pi(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "pi";
    System.arraycopy(args, 0, all, 1, args.length);
    return new Call()
        .with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString())
        .on(folder.resolve("s"), all);
  }

  @Test
  void theHashIsAllThatIsPrinted() {
    Call.Result published = pi("publish", fork.toString());

    assertThat(published.status()).as(published.err()).isZero();
    assertThat(published.out()).matches("[0-9a-f]{64}\n");
    assertThat(pi("publish", "bbbb").out()).as("by id").isEqualTo(published.out());
    assertThat(pi("publish", "--project", project.toString()).lines()).hasSize(1);
    assertThat(pi("publish", "--states", "store", fork.toString()).out())
        .isEqualTo(published.out());
  }

  @Test
  void allAreListedAfterwards() throws IOException {
    Call.Result all = pi("publish", "--all");

    assertThat(all.lines()).hasSize(2).allMatch(line -> line.matches("[0-9a-f]{64}  /.*"));
    Files.delete(root);
    assertThat(pi("list", "--json").lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("bbbb-2.jsonl\",\"state\":\"here\""),
            line -> assertThat(line).contains("aaaa-1.jsonl\",\"state\":\"gone\""));
    assertThat(pi("list", "--prune").err()).contains("1 taken out");
    assertThat(pi("list").lines()).hasSize(2).last().asString().contains("bbbb-2.jsonl");
  }

  @Test
  void eachBranchIsOneObject() throws IOException {
    String json = pi("publish", "--json", fork.toString()).out();

    assertThat(json)
        .contains("\"chain\":2")
        .contains("\"blobs_new\":4")
        .contains("\"problems\":[]");
    Files.delete(root);
    assertThat(pi("publish", "--json", fork.toString()).out())
        .contains("it was branch ")
        .contains("\"blobs_new\":0");
  }

  @Test
  void aProblemOfACommonAncestorIsPrintedOnceAndInShortLines() throws IOException {
    Files.delete(root);
    for (String id : new String[] {"cccc-3", "dddd-4", "eeee-5"}) {
      session("2026-01-05T09-20-00-000Z_" + id + ".jsonl", id, fork.toString());
    }

    Call.Result all = pi("publish", "--all");

    assertThat(all.err().lines())
        .containsExactly(
            "2026-01-05T09-10-00-000Z_bbbb-2.jsonl:",
            "  its parent 2026-01-05T09-00-00-000Z_aaaa-1.jsonl",
            "  is not here: published without a parent");
  }

  @Test
  void oneBadSessionDoesNotStopTheOthers() throws IOException {
    Files.writeString(root.resolveSibling("notes.jsonl"), "my notes\n");

    Call.Result all = pi("publish", "--all");

    assertThat(all.status()).isEqualTo(74);
    assertThat(all.lines()).hasSize(2);
    assertThat(all.err()).contains("not published").contains("notes.jsonl");
  }

  @Test
  void whatCannotBePublishedIsTold() {
    assertThat(pi("publish", "nothing").status()).isEqualTo(1);
    assertThat(pi("publish", "--project", folder.toString()).status()).isEqualTo(1);
    assertThat(pi("publish", "--all", "x").status()).isEqualTo(2);
    assertThat(pi("publish", "--states", "x", "y").status()).isEqualTo(2);
    assertThat(pi().status()).isEqualTo(2);
    assertThat(pi("list").err()).contains("varve pi publish");
  }
}
