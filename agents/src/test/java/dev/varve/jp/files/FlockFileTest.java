// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.jp.files.FlockFile.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlockFileTest {

  @TempDir Path folder;

  private static boolean isFree(Path file, Kind kind) {
    Optional<FlockFile> lock = FlockFile.tryLock(file, kind);
    lock.ifPresent(FlockFile::close);
    return lock.isPresent();
  }

  @Test
  void anExclusiveLockIsAloneAndSharedOnesAreNot() {
    Path file = folder.resolve("lock");
    try (FlockFile _ = FlockFile.tryLock(file, Kind.EXCLUSIVE).orElseThrow()) {
      assertThat(isFree(file, Kind.EXCLUSIVE)).isFalse();
      assertThat(isFree(file, Kind.SHARED)).isFalse();
    }
    try (FlockFile _ = FlockFile.tryLock(file, Kind.SHARED).orElseThrow()) {
      assertThat(isFree(file, Kind.SHARED)).isTrue();
      assertThat(isFree(file, Kind.EXCLUSIVE)).isFalse();
    }
    assertThat(isFree(file, Kind.EXCLUSIVE)).isTrue();
  }

  @Test
  void whoCreatedTheFileIsTold() {
    Path file = folder.resolve("lock");
    try (FlockFile first = FlockFile.tryLock(file, Kind.SHARED).orElseThrow();
        FlockFile second = FlockFile.tryLock(file, Kind.SHARED).orElseThrow()) {
      assertThat(first.created()).isTrue();
      assertThat(second.created()).isFalse();
    }
  }

  @Test
  void aLinkIsNoLock() throws IOException {
    Path outside = Files.createFile(folder.resolve("outside"));
    Path file = Files.createSymbolicLink(folder.resolve("lock"), outside);

    assertThatThrownBy(() -> FlockFile.tryLock(file, Kind.EXCLUSIVE))
        .isInstanceOf(StoreException.Corrupt.class);
  }

  /// Another process holds the lock by the system's own command, as JP does by the system's own
  /// call.
  @Test
  void theLockIsTheOneThatOtherProgramsTake() throws Exception {
    Optional<Path> flock =
        List.of(Path.of("/usr/bin/flock"), Path.of("/bin/flock")).stream()
            .filter(Files::isExecutable)
            .findFirst();
    if (flock.isEmpty()) {
      return; // a system without the command; the other tests hold there too
    }
    Path file = folder.resolve("lock");
    Process holder =
        new ProcessBuilder(
                flock.get().toString(), "-x", file.toString(), "sh", "-c", "echo held; read line")
            .start();
    try (BufferedReader out = holder.inputReader()) {
      assertThat(out.readLine()).isEqualTo("held");

      assertThat(isFree(file, Kind.EXCLUSIVE)).isFalse();
    } finally {
      holder.getOutputStream().close();
    }
    assertThat(holder.waitFor()).isNotNegative();
    assertThat(isFree(file, Kind.EXCLUSIVE)).isTrue();
  }
}
