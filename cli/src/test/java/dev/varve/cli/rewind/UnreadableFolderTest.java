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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Captures by a process that may not read a folder. The superuser may read everything; a process
/// of its own gives up that right first.
final class UnreadableFolderTest {

  @TempDir Path place;
  private final List<Path> closed = new ArrayList<>();

  @AfterEach
  void open() throws IOException {
    for (Path folder : closed) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    closed.clear();
  }

  private Path root() {
    return place.resolve("thing");
  }

  private Path write(String name) throws IOException {
    Path file = root().resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "1");
  }

  private void close(String name, String permissions) throws IOException {
    Path folder = root().resolve(name);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    closed.add(folder);
  }

  private Shell.Result captured(String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "VARVE_STORE=" + place.resolve("store")));
    command.addAll(Shell.varveWithoutPrivileges());
    command.addAll(List.of("rewind", "capture", "-m", "closed", "-C", root().toString()));
    command.addAll(List.of(more));
    return Shell.run(command.toArray(String[]::new));
  }

  private Call.Result rewind(String... words) {
    List<String> all = new ArrayList<>(List.of("rewind"));
    all.addAll(List.of(words));
    all.addAll(List.of("-C", root().toString()));
    return new Call().on(place.resolve("store"), all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"---------", "--x------", "r--------"})
  void aFolderThatGitCannotReadIsNamedAndItsFilesStay(String permissions) throws Exception {
    assertThat(Shell.run("git", "init", "-q", root().toString()).status()).isZero();
    write("a");
    Path file = write("closed/inner/b");
    write("ignored/c");
    Files.writeString(root().resolve(".gitignore"), "ignored\n");
    close("closed", permissions);
    close("ignored", permissions);

    Shell.Result capture = captured();
    open();
    Call.Result restore = rewind("restore", "@0", "--yes");

    assertThat(capture.status()).as(capture.err()).isZero();
    assertThat(capture.err()).contains("closed/ (not readable)").doesNotContain("ignored");
    assertThat(restore.status()).as(restore.err()).isZero();
    assertThat(restore.err()).contains("was not captured then: not readable");
    assertThat(file).exists();
  }

  @Test
  void aFolderOfARepositoryInsideThatCannotBeReadIsNamedToo() throws Exception {
    assertThat(Shell.run("git", "init", "-q", root().toString()).status()).isZero();
    Path inner = root().resolve("lib");
    assertThat(Shell.run("git", "init", "-q", inner.toString()).status()).isZero();
    write("lib/a");
    Path file = write("lib/closed/b");
    close("lib/closed", "---------");

    Shell.Result capture = captured();
    open();

    assertThat(capture.err()).contains("lib/closed/ (not readable)");
    assertThat(rewind("restore", "@0", "--yes").status()).isZero();
    assertThat(file).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"---------", "r--------"})
  void aFolderWithoutGitThatCannotBeReadIsNamedAndItsFilesStay(String permissions)
      throws Exception {
    write("a");
    Path file = write("closed/inner/b");
    close("closed", permissions);

    Shell.Result capture = captured("--native");
    open();
    Call.Result restore = rewind("restore", "@0", "--yes", "--native");

    assertThat(capture.err()).contains("closed/").contains("(not readable)");
    assertThat(restore.status()).as(restore.err()).isZero();
    assertThat(file).exists();
  }
}
