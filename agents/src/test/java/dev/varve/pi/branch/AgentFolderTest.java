// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.session.SessionHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AgentFolderTest {

  private static final String TIME = "2026-11-27T20:37:21.818Z";

  @TempDir Path folder;

  private AgentFolder agent() {
    return new AgentFolder(folder, false);
  }

  private static SessionHeader header(String id, String cwd, String time) {
    return new SessionHeader(id, 3, cwd, time, null, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "/users/mia/shop, --users-mia-shop--",
    "/, ----",
    "C:\\a, --C--a--",
    "/w/a b.c/ü, --w-a b.c-ü--",
    "//x, ---x--",
    "/.., --..--",
  })
  void aPlaceIsWherePiWouldPutIt(String cwd, String encoded) {
    Path place = agent().place(header("01a2-b", cwd, TIME));

    assertThat(folder.relativize(place))
        .isEqualTo(Path.of(encoded, "2026-11-27T20-37-21-818Z_01a2-b.jsonl"));
    assertThat(new AgentFolder(folder, true).place(header("01a2-b", cwd, TIME)).getParent())
        .isEqualTo(folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "../../.bashrc",
        "..",
        "a/b",
        "a\\b",
        "C:x",
        "a\u0000b",
        "a\nb",
        "-rf",
        ".hidden",
        "a.",
        "ü",
        "a\u202eb"
      })
  void anIdThatIsNoNameIsNeverPartOfAPath(String id) {
    assertThatThrownBy(() -> agent().place(header(id, "/src", TIME)))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("id");
  }

  @Test
  void anythingElseInAHeaderIsHeldToWhatFits() {
    for (String cwd : new String[] {"", "/a\u0000b", "/a\nb", "/" + "x".repeat(600), "/\ud800"}) {
      assertThatThrownBy(() -> agent().place(header("a", cwd, TIME)))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("cwd");
    }
    for (String time :
        new String[] {null, "", "../x", "now", "2026-11-27T20:37/..", "2".repeat(99)}) {
      assertThatThrownBy(() -> agent().place(header("a", "/src", time)))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("timestamp");
    }
    assertThatThrownBy(() -> agent().place(header("a".repeat(200), "/src", TIME)))
        .isInstanceOf(StoreException.Invalid.class);
  }

  private Path session(String cwdFolder, String name, String cwd, int second) throws IOException {
    Path file = Files.createDirectories(folder.resolve(cwdFolder)).resolve(name);
    Files.writeString(file, Sessions.header("in-header", "").replace("/src/demo", cwd) + "\n");
    return Files.setLastModifiedTime(
        file, FileTime.from(Instant.parse("2026-01-05T09:00:00Z").plusSeconds(second)));
  }

  @Test
  void sessionsAreFoundByTheirIdOrHowItBegins() throws IOException {
    Path a = session("--src--", "2026_01a21eba-1719.jsonl", "/src", 1);
    Path b = session("--src--", "2026_01a21eba-1720.jsonl", "/src", 2);

    assertThat(agent().find("01a21eba-1719")).containsExactly(a);
    assertThat(agent().find("01a21eba")).containsExactly(a, b);
    assertThat(agent().find("zzz")).isEmpty();
    assertThat(agent().find("in-hea")).as("only the header has it").containsExactly(a, b);
  }

  @Test
  void theNewestOfAFolderIsNotThatOfAnotherWithTheSameName() throws IOException {
    Path mine = session("--w-a-b--", "1_x.jsonl", "/w/a-b", 1);
    session("--w-a-b--", "2_y.jsonl", "/w/a/b", 2);
    session("--w-a-b--", "0_z.jsonl", "/w/a-b", 0);

    assertThat(agent().newestOf(Path.of("/w/a-b"))).contains(mine);
    assertThat(agent().newestOf(Path.of("/w/none"))).isEmpty();
  }
}
