// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The index is derived: whatever happens to its files, everything is found.
final class IndexDamageTest {

  @TempDir Path folder;

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files.filter(file -> !file.endsWith("write.lock")).sorted().toList();
    }
  }

  private static FoundStore filled(Path folder) {
    FoundStore found = new FoundStore(folder);
    ContextId context = found.context("{\"agent\":\"pi\",\"title\":\"A title\"}");
    for (int i = 0; i < 30; i++) {
      found.say(context, "user", "some words and number" + i);
    }
    found.follow();
    return found;
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyFileMayBeDamagedCutOrLost() throws IOException {
    Random random = new Random(7);
    Path index = folder.resolve("store/search");
    try (FoundStore found = filled(folder.resolve("store"))) {
      for (String kind : List.of("garbled", "cut", "lost", "empty")) {
        int count = files(index).size();
        for (int i = 0; i < count; i++) {
          found.search.close();
          Path file = files(index).get(Math.min(i, files(index).size() - 1));
          byte[] bytes = Files.readAllBytes(file);
          switch (kind) {
            case "garbled" -> {
              bytes[random.nextInt(bytes.length)] ^= 0x41;
              write(file, bytes);
            }
            case "cut" -> write(file, Arrays.copyOf(bytes, bytes.length / 2));
            case "lost" -> Files.delete(file);
            default -> write(file, new byte[0]);
          }
          found.search = StoreSearch.open(found.folder, found.store);

          assertThat(found.turns("words")).as("%s %s", kind, file.getFileName()).hasSize(30);
          assertThat(found.turns("number17")).hasSize(1);
          assertThat(found.follow().isWhole()).isTrue();
        }
      }
    }
  }

  @Test
  void anIndexOfAnotherStoreIsNotUsed() throws IOException {
    try (FoundStore other = filled(folder.resolve("other"))) {
      other.search.close();
      Path store = folder.resolve("store");
      try (FoundStore found = new FoundStore(store)) {
        ContextId context = found.store.createContext().id();
        TurnId mine = found.say(context, "user", "my words");
        found.search.close();
        for (Path file : files(store.resolve("search"))) {
          Files.delete(file);
        }
        for (Path file : files(folder.resolve("other/search"))) {
          Files.copy(file, store.resolve("search").resolve(file.getFileName()));
        }
        found.search = StoreSearch.open(store, found.store);

        assertThat(found.turns("words")).containsExactly(mine);
      }
      other.search = StoreSearch.open(other.folder, other.store);
    }
  }
}
