// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BranchIndexTest {

  @TempDir Path folder;

  private BranchIndex index() {
    return new BranchIndex(folder.resolve("notes/manifest.json"));
  }

  private static BlobHash hash(int number) {
    return Blake3.hash(new byte[] {(byte) number, (byte) (number >> 8)});
  }

  @Test
  void theFileHasTheSpecsShape() {
    index().add(Map.of(hash(1), Path.of("/users/mia/\"a\\b\u0001ü.jsonl")));

    assertThat(index().file())
        .hasContent("{\n  \"" + hash(1) + "\": \"/users/mia/\\\"a\\\\b\\u0001ü.jsonl\"\n}\n");
    assertThat(index().read()).containsEntry(hash(1), "/users/mia/\"a\\b\u0001ü.jsonl");
  }

  @Test
  void theLastPublishedStandsLast() {
    index().add(Map.of(hash(1), Path.of("/a")));
    index().add(Map.of(hash(2), Path.of("/b")));
    index().add(Map.of(hash(1), Path.of("/c")));

    assertThat(index().read().sequencedValues()).containsExactly("/b", "/c");
  }

  @Test
  void thoseWhoPublishAtOnceLoseNothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int first = t * 10;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = first; i < first + 10; i++) {
                      index().add(Map.of(hash(i), Path.of("/s" + i)));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(index().read()).hasSize(80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"manifest.json", "manifest.json.lock"})
  @Timeout(60)
  void aPipeIsNotWaitedFor(String name) throws Exception {
    Path notes = Files.createDirectories(folder.resolve("notes"));
    Process made = new ProcessBuilder("mkfifo", notes.resolve(name).toString()).start();
    assertThat(made.waitFor()).isZero();

    assertThatThrownBy(() -> index().add(Map.of(hash(1), Path.of("/a"))))
        .isInstanceOf(StoreException.Io.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{\"x\":\"y\"}", "{\"HASH\":1}", "{} {}", "{\"HASH\":\"/a\"", "\0"})
  void anotherFileIsNeverWrittenOver(String text) throws IOException {
    String other = text.replace("HASH", hash(1).toString());
    Files.createDirectories(folder.resolve("notes"));
    Files.writeString(index().file(), other);

    assertThatThrownBy(() -> index().add(Map.of(hash(2), Path.of("/b"))))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThat(Files.readString(index().file())).isEqualTo(other);
  }

  @Test
  void aRebuildSetsAsideWhatWasNoIndex() throws IOException {
    Files.createDirectories(folder.resolve("notes"));
    Files.writeString(index().file(), "notes of mine");
    SequencedMap<BlobHash, Path> found = new LinkedHashMap<>();
    found.put(hash(1), Path.of("/a"));

    index().rebuild(found);

    assertThat(index().read()).containsExactly(Map.entry(hash(1), "/a"));
    try (var files = Files.list(folder.resolve("notes"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".damaged")))
          .singleElement()
          .satisfies(file -> assertThat(file).hasContent("notes of mine"));
    }
  }

  @Test
  void whatMovedAndWhatIsGoneIsTold() throws IOException {
    Sessions sessions = new Sessions(Files.createDirectories(folder.resolve("sessions")));
    Path here = sessions.write("here", "", 1);
    Path moved =
        new Sessions(Files.createDirectory(folder.resolve("sessions/new"))).write("m", "", 1);
    index().add(Map.of(hash(1), here));
    index().add(Map.of(hash(2), folder.resolve("sessions/old/m.jsonl")));
    index().add(Map.of(hash(3), folder.resolve("sessions/gone.jsonl")));

    assertThat(IndexedBranch.all(index(), new AgentFolder(folder.resolve("sessions"), false)))
        .extracting(IndexedBranch::file)
        .containsExactly(
            new IndexedBranch.Found.Here(),
            new IndexedBranch.Found.Moved(moved),
            new IndexedBranch.Found.Gone());
  }
}
