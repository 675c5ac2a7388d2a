// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rewinding where there is no git, and where it is not wanted.
final class RewindFolderTest {

  private static final String NATIVE = "\"settings\":{\"mode\":\"native\"}";

  @TempDir Path folder;
  private Path files;

  @BeforeEach
  void makeFiles() throws IOException {
    files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(files.resolve("a"), "1");
  }

  private Call.Result rewind(String... words) {
    return run(new Call(), words);
  }

  private Call.Result run(Call call, String... words) {
    List<String> all =
        new ArrayList<>(List.of("--store", folder.resolve("store").toString(), "rewind"));
    all.addAll(List.of(words));
    all.addAll(List.of("-C", files.toString()));
    return call.run(all.toArray(String[]::new));
  }

  @Test
  void whatIsNotedInTheStoreIsForItsOwnerOnly() throws IOException {
    assertThat(rewind("capture").status()).isZero();
    Files.writeString(files.resolve("a"), "2");
    assertThat(rewind("restore", "@0", "--yes").status()).isZero();

    try (Stream<Path> all = Files.walk(folder.resolve("store"))) {
      assertThat(all.filter(Files::isRegularFile).toList())
          .hasSizeGreaterThan(15)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .as(file.toString())
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void theCommandsWorkAsTheyDoWithGit() throws IOException {
    assertThat(rewind("list").status()).isZero();
    assertThat(folder.resolve("store")).as("only looked").doesNotExist();
    String name = rewind("capture", "-m", "first").out().strip();
    Files.writeString(files.resolve("a"), "2");
    Files.createDirectories(files.resolve("empty"));

    assertThat(name).matches("[0-9a-f]{64}");
    assertThat(rewind("restore", "@0", "--dry-run").out())
        .contains("change  a (edited since")
        .contains("delete  empty/");
    assertThat(rewind("diff", "@0", "--stat").out()).contains("empty/ | folder made");
    assertThat(rewind("diff", "@0", "--json").out())
        .contains("\"path\":\"empty/\"")
        .contains("\"new_mode\":\"40");
    assertThat(rewind("restore", name.substring(0, 8), "--yes").out())
        .isEqualTo("2 paths restored\n");
    assertThat(Files.readString(files.resolve("a"))).isEqualTo("1");
    assertThat(rewind("undo", "--yes").status()).isZero();
    assertThat(files.resolve("empty")).isEmptyDirectory();
    assertThat(rewind("redo", "--yes").status()).isZero();
    assertThat(rewind("show", "@1", "--json").out()).contains("\"note\":\"first\"");
    assertThat(rewind("doctor").status()).isZero();
    assertThat(rewind("restore", "abcd", "--yes").status()).isEqualTo(1);
  }

  @Test
  void aStoreThatAnotherHoldsIsToldAndNothingIsLost() {
    rewind("capture");
    try (var _ =
        dev.varve.local.LocalStore.open(folder.resolve("store"), dev.varve.StoreOptions.DEFAULTS)) {
      assertThat(run(new Call().with("VARVE_WAIT", "0"), "capture", "-m", "again").status())
          .isEqualTo(4);
    }

    assertThat(rewind("capture", "-m", "again").status()).isZero();
  }

  @Test
  void aRepositoryIsLeftAloneOnRequest() throws Exception {
    assertThat(Shell.run("git", "init", "-q", files.toString()).status()).isZero();

    assertThat(rewind("capture", "--native").out()).matches("[0-9a-f]{64}\n");
    assertThat(rewind("list").out()).isEmpty();
    assertThat(files.resolve(".git/varve-rewind")).doesNotExist();
    assertThat(rewind("capture").out()).matches("[0-9a-f]{40}\n");
  }

  private List<String> serve(String... requests) {
    Call.Result result = run(new Call().input(String.join("\n", requests)), "serve");
    assertThat(result.lines()).as(result.err()).hasSameSizeAs(requests);
    return result.lines();
  }

  @Test
  void aSessionHasNothingToDoWithoutGitUnlessItsSettingsSayOtherwise() throws IOException {
    String session = "{\"do\":\"session\",\"session_id\":\"s\",\"reason\":\"startup\",";
    List<String> without =
        serve(session + "\"settings\":{}}", "{\"do\":\"prompt\"}", "{\"do\":\"capture\"}");
    assertThat(without.get(0)).contains("\"enabled\":false");
    assertThat(without.get(1)).contains("\"snapshot\":null");
    assertThat(without.get(2)).contains("\"status\":1");
    assertThat(folder.resolve("store")).doesNotExist();

    String prompt = "{\"do\":\"prompt\",\"entries\":[],\"leaf\":null}";
    List<String> with = serve(session + NATIVE + "}", prompt);
    assertThat(with.get(0)).contains("\"enabled\":true").contains("◆ 0 points");
    Matcher name = Pattern.compile("\"snapshot\":\"([0-9a-f]{64})\"").matcher(with.get(1));
    assertThat(name.find()).isTrue();
    Files.writeString(files.resolve("a"), "2");

    String user =
        "{\"type\":\"message\",\"id\":\"u1\",\"parentId\":null,\"role\":\"user\",\"timestamp\":\"2026-01-01T00:00:00Z\"}";
    String agent =
        "{\"type\":\"message\",\"id\":\"a1\",\"parentId\":\"u1\",\"role\":\"assistant\",\"timestamp\":\"2026-01-01T00:00:01Z\"}";
    List<String> more =
        serve(
            session.replace("startup", "restart") + NATIVE + "}",
            "{\"do\":\"turn_end\",\"leaf\":\"a1\",\"entries\":[" + user + "," + agent + "]}",
            "{\"do\":\"restore\",\"entry\":\"u1\"}");
    assertThat(more.get(1)).contains("rewind-turn").contains(name.group(1)).contains("◆ 2 points");
    assertThat(more.get(2)).contains("\"exact\":true");
    assertThat(Files.readString(files.resolve("a"))).isEqualTo("1");
  }

  @Test
  void whoIsInAFolderOfOneThatWasCapturedIsToldWhatIsMeant() throws IOException {
    Path inner = Files.createDirectories(files.resolve("inner"));
    assertThat(rewind("capture").err()).doesNotContain("the worktree is");

    Path whole = files;
    files = inner;
    assertThat(rewind("restore", "@0", "--dry-run").err())
        .contains("the worktree is " + whole.toRealPath() + ":");
  }
}
