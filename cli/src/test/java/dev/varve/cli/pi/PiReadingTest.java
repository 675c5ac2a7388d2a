// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Approved;
import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PiReadingTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "scan", "redact"})
  void theHelpIsAsApproved(String command) {
    Approved.check("help-pi-" + command, new Call().run("help", "pi", command).out());
  }

  @Test
  void aTreeIsDrawnAsApproved() throws IOException {
    Path file = PiSession.rich().write(folder.resolve("s.jsonl"));

    String drawn = new Call().run("pi", "tree", file.toString()).out();
    String all = new Call().with("LANG", "C").run("pi", "tree", file.toString(), "--all").out();

    Approved.check("pi-tree", drawn + "\n" + all);
  }

  @Test
  void aTreeIsTheSameForPrograms() throws IOException {
    Path file = PiSession.rich().write(folder.resolve("s.jsonl"));

    Call.Result json = new Call().run("pi", "tree", file.toString(), "--json");

    assertThat(json.lines()).hasSize(1 + 11);
    assertThat(json.lines().getFirst())
        .contains("\"branches\":3")
        .contains("\"name\":\"Due dates\"");
    assertThat(json.lines().get(5))
        .contains("\"entry_id\":\"00000005\"")
        .contains("\"label\":\"works\"")
        .contains("\"parent_line\":5");
    assertThat(json.lines().getLast())
        .contains("\"root\":\"parent_missing\"")
        .contains("\"leaf\":true");
  }

  @Test
  void whatAnEntrySaysNeverReachesTheTerminalRaw() throws IOException {
    Path file =
        PiSession.headed()
            .message("user", "\\u001b[31m", null, "\\u001b]0;title\\u0007 \\u202e")
            .write(folder.resolve("s.jsonl"));

    for (String option : new String[] {"--all", "--json"}) {
      Call.Result tree = new Call().atTerminal(80).run("pi", "tree", file.toString(), option);
      assertThat(tree.out())
          .doesNotContain("\u001b]")
          .doesNotContain("\u0007")
          .doesNotContain("\u202e");
    }
  }

  @Test
  void aDeepNestOfBranchesStaysReadable() throws IOException {
    PiSession session = PiSession.headed().message("user", "r0", null, "root");
    for (int i = 1; i < 300; i++) {
      session.message("user", "a" + i, "r" + (i - 1), "side " + i);
      session.message("user", "r" + i, "r" + (i - 1), "on " + i);
    }
    for (int i = 1; i < 60; i++) {
      session.message("user", "s" + i, i == 1 ? "a1" : "s" + (i - 1), "deep");
      session.message("user", "t" + i, i == 1 ? "a1" : "s" + (i - 1), "deeper");
    }
    Path file = session.write(folder.resolve("s.jsonl"));

    Call.Result tree = new Call().atTerminal(80).run("pi", "tree", file.toString());

    assertThat(tree.lines()).hasSizeGreaterThan(600);
    assertThat(tree.out()).contains("side 299");
  }

  @Test
  void sessionsAreListedAsApproved() throws IOException {
    Path sessions = Files.createDirectories(folder.resolve("agent/sessions/--src-shop--"));
    PiSession.rich().write(sessions.resolve("a.jsonl"));
    PiSession.headed()
        .message("user", "1", null, "Only a prompt")
        .write(sessions.resolve("b.jsonl"));
    Path foreign = Files.writeString(sessions.resolve("c.jsonl"), "notes\n");
    Files.setLastModifiedTime(foreign, FileTime.from(Call.NOW.minusSeconds(90)));

    Call.Result list =
        new Call()
            .with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString())
            .run("pi", "sessions");

    Approved.check("pi-sessions", list.out().replace(sessions.toString(), "DIR"));
    assertThat(new Call().run("pi", "sessions", folder.toString(), "--json", "-n", "2").lines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"read_bytes\":"));
  }

  private Path damaged() throws IOException {
    return PiSession.rich().line("{\"type\":\"mess").write(folder.resolve("s.jsonl"));
  }

  @Test
  void theDoctorSpeaksAsApproved() throws IOException {
    Path file = damaged();
    Path copy = folder.resolve("copy.jsonl");

    Call.Result told =
        new Call().run("pi", "doctor", file.toString(), "--repair-to", copy.toString());
    Call.Result healthy = new Call().run("pi", "doctor", copy.toString());

    assertThat(told.status()).isEqualTo(3);
    assertThat(healthy.status()).isZero();
    Approved.check("pi-doctor", (told.out() + healthy.out()).replace(folder.toString(), "DIR"));
  }

  @Test
  void theDoctorReportsToPrograms() throws IOException {
    Call.Result told = new Call().run("pi", "doctor", damaged().toString(), "--json");

    assertThat(told.status()).isEqualTo(3);
    assertThat(told.lines()).hasSize(1);
    assertThat(told.out())
        .contains("\"healthy\":false")
        .contains("\"problem\":\"orphan\",\"line\":12,")
        .contains("\"copy\":null");
  }

  @Test
  void theDoctorOverwritesNothing() throws IOException {
    Path file = damaged();
    byte[] before = Files.readAllBytes(file);

    Call.Result inPlace =
        new Call().run("pi", "doctor", file.toString(), "--repair-to", file.toString());

    assertThat(inPlace.status()).isEqualTo(2);
    assertThat(file).hasBinaryContent(before);
    assertThat(folder.resolve("s.jsonl.repair")).doesNotExist();
  }

  /// Opens nothing; put together so that no scanner takes this file for a leak.
  private static final String KEY = "AKIA" + "YVP4CIPPERUVIFXG";

  private Path leaking() throws IOException {
    return PiSession.headed()
        .message("user", "00000001", null, "The key is " + KEY + ".")
        .entry("custom", "00000002", "00000001", ",\"data\":{\"password\":\"x7Kq9mPz42LwT8vB\"}")
        .write(folder.resolve("s.jsonl"));
  }

  @Test
  void likelyCredentialsAreToldAsApprovedAndNeverShown() throws IOException {
    Path file = leaking();

    Call.Result told = new Call().run("pi", "scan", folder.toString());
    Call.Result json = new Call().run("pi", "scan", file.toString(), "--json");

    assertThat(told.status()).isEqualTo(3);
    assertThat(json.status()).isEqualTo(3);
    assertThat(json.lines()).hasSize(3).last().asString().contains("\"findings\":2");
    assertThat(told.out() + json.out()).doesNotContain(KEY).doesNotContain("x7Kq9mPz42LwT8vB");
    Approved.check("pi-scan", (told.out() + json.out()).replace(folder.toString(), "DIR"));
  }

  @Test
  void aRedactedCopyIsCleanAndTheSameOtherwise() throws IOException {
    Path file = leaking();
    byte[] before = Files.readAllBytes(file);
    Path copy = folder.resolve("clean.jsonl");

    Call.Result made = new Call().run("pi", "redact", file.toString(), "--to", copy.toString());

    assertThat(made.out())
        .isEqualTo("2 credentials replaced in 2 strings; looked through again: none is seen\n");
    assertThat(new Call().run("pi", "scan", copy.toString()).status()).isZero();
    assertThat(new Call().run("pi", "doctor", copy.toString()).status()).isZero();
    assertThat(Files.readString(copy)).contains("The key is [redacted aws-access-token 1].");
    assertThat(file).hasBinaryContent(before);
    assertThat(new Call().run("pi", "redact", file.toString(), "--to", copy.toString()).status())
        .isEqualTo(2);
  }

  @Test
  void aListExcusesWhatIsNoCredential() throws IOException {
    Path list =
        Files.writeString(folder.resolve("none"), "value " + KEY + "\nrule generic-api-key\n");

    Call.Result scan =
        new Call().run("pi", "scan", leaking().toString(), "--allow", list.toString());

    assertThat(scan.status()).isZero();
    assertThat(scan.out()).isEqualTo("no credential seen in 1 session\n");
    Files.writeString(list, "nonsense\n");
    assertThat(
            new Call().run("pi", "scan", leaking().toString(), "--allow", list.toString()).status())
        .isEqualTo(2);
  }

  @Test
  void aSessionIsAlsoMeantByItsIdOrHowThatBegins() throws IOException {
    Path sessions = Files.createDirectories(folder.resolve("agent/sessions/--src-shop--"));
    PiSession.rich()
        .write(
            sessions.resolve(
                "2026-01-05T09-00-00-000Z_01a21eba-2440-7602-a200-36c2c6a55f2d.jsonl"));
    Call call = new Call().with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString());

    assertThat(call.run("pi", "tree", "01a21eba").out()).contains("Due dates");
    Call again = new Call().with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString());
    assertThat(again.run("pi", "doctor", "01a21eba-2440").status()).isEqualTo(3);
    Call other = new Call().with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString());
    assertThat(other.run("pi", "scan", "none").status()).isEqualTo(1);
  }

  @Test
  void whatIsNotThereIsTold() {
    assertThat(new Call().run("pi", "tree", folder + "/none").status()).isEqualTo(1);
    assertThat(new Call().run("pi", "tree", folder.toString()).status()).isEqualTo(2);
    assertThat(new Call().run("pi", "sessions", folder + "/none").status()).isEqualTo(1);
    assertThat(new Call().run("pi").status()).isEqualTo(2);
  }
}
