// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.rewind.ArchiveHealth;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Snapshots when git's settings, git's objects or the folder that is named are not to be believed.
final class DiskTruthTest {

  @TempDir Path folder;

  @Test
  void namesThatDifferByCaseAreCapturedWhateverTheSettingsClaim() throws IOException {
    Repo repo = Repo.in(folder).write("readme", "small").write(".gitignore", "*.log\n");
    repo.git("config", "core.ignorecase", "true");
    repo.capture();
    repo.write("README", "large").write("NOTES.LOG", "kept");
    Snapshot both = repo.capture();
    Files.delete(repo.path("readme"));
    Files.move(repo.path("README"), repo.path("ReadMe"));
    Snapshot renamed = repo.capture();

    assertThat(repo.rewind().changes(both, renamed))
        .extracting(change -> change.path().toString())
        .containsExactly("README", "ReadMe", "readme");
    assertThat(repo.restore(both).exact()).isTrue();
    assertThat(repo.read("readme")).isEqualTo("small");
    assertThat(repo.read("README")).isEqualTo("large");
    assertThat(repo.read("NOTES.LOG")).isEqualTo("kept");
    assertThat(repo.restore(renamed).exact()).isTrue();
    assertThat(repo.read("ReadMe")).isEqualTo("large");
  }

  @Test
  void namesInARepositoryInsideAreCapturedWhateverItsSettingsClaim() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write("in/readme", "small");
    Repo inner = repo.at(repo.path("in"));
    inner.git("init", "-q");
    inner.git("config", "core.ignorecase", "true");
    inner.gitAs("add", "-A");
    inner.gitAs("commit", "-qm", "first");
    repo.write("in/README", "large");
    Snapshot both = repo.capture();
    Files.delete(repo.path("in/README"));

    assertThat(repo.restore(both).exact()).isTrue();
    assertThat(repo.read("in/README")).isEqualTo("large");
  }

  @Test
  void linksAndProgramsAreCapturedWhateverTheSettingsClaim() throws IOException {
    Repo repo = Repo.in(folder).write("run", "#!/bin/sh\n").write("other", "1");
    repo.git("config", "core.symlinks", "false");
    repo.git("config", "core.filemode", "false");
    repo.link("link", "other");
    repo.capture();
    repo.permit("run", "rwxr-xr-x");
    Snapshot snapshot = repo.capture();
    repo.permit("run", "rw-r--r--");
    Files.delete(repo.path("link"));

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(Files.isSymbolicLink(repo.path("link"))).isTrue();
    assertThat(Files.isExecutable(repo.path("run"))).isTrue();
  }

  @Test
  void aSnapshotOfAnotherWorktreeIsNeitherRestoredNorOfferedHere() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write("only-here", "1");
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    repo.git("worktree", "add", "-q", repo.path("linked").toString());
    Repo linked = repo.at(repo.path("linked"));
    Files.delete(linked.path("only-here"));
    Snapshot there = linked.capture();
    Snapshot here = repo.capture();
    Files.delete(linked.path(".git"));

    Rewind outer = linked.rewind();
    assertThatThrownBy(() -> outer.plan(there, new PathSelection.Everything()))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("another worktree ('linked')");
    assertThat(repo.read("only-here")).isEqualTo("1");
    assertThat(outer.present(Set.of(there.commit(), here.commit()))).containsExactly(here.commit());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theDoctorReadsEveryObjectAndALaterCaptureWritesABrokenOneAgain(boolean emptied)
      throws IOException {
    Repo repo = Repo.in(folder).write("a", "what is to be kept").write("b", "2");
    Snapshot snapshot = repo.capture();
    Path object = object(repo, repo.git("hash-object", "a").strip());
    byte[] bytes = Files.readAllBytes(object);
    Files.setPosixFilePermissions(object, PosixFilePermissions.fromString("rw-r--r--"));
    bytes[bytes.length / 2] ^= 0x10;
    Files.write(object, emptied ? new byte[0] : bytes);

    ArchiveHealth health = repo.rewind().check();
    assertThat(health.problems()).hasSize(1);
    assertThat(health.problems().getFirst()).contains(object.getFileName().toString());

    repo.write("again", "what is to be kept");
    Snapshot later = repo.capture();
    assertThat(repo.rewind().check().problems()).isEmpty();
    Files.delete(repo.path("again"));
    Files.delete(repo.path("a"));
    assertThat(repo.restore(later).exact()).isTrue();
    assertThat(repo.read("again")).isEqualTo("what is to be kept");
    assertThat(repo.restore(snapshot).exact()).isTrue();
  }

  private static Path object(Repo repo, String id) {
    return repo.path(".git/objects/" + id.substring(0, 2) + "/" + id.substring(2));
  }
}
