// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.ImportReport;
import dev.varve.sim.StoreModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever is in a file, and however it came to be, it comes back as it was.
class PiImportPropertyTest {

  private static final int RUNS = 60;

  @TempDir Path folder;

  @Test
  void randomBytesComeBack() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[random.nextInt(4000)];
      byte[] alphabet = "{}[]\"\n\r\\:,tyidpe \u0000\u00ff".getBytes(StandardCharsets.ISO_8859_1);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = alphabet[random.nextInt(alphabet.length)];
      }
      ByteArrayOutputStream session = new ByteArrayOutputStream();
      session.writeBytes(SessionText.headed().bytes());
      session.writeBytes(bytes);
      everyVersionComesBack(seed, List.of(bytes, session.toByteArray()));
    }
  }

  @Test
  void aFileReadAtAnyMomentOfItsGrowthComesBackAtEach() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomSession session = new RandomSession(random);
      for (int i = random.nextInt(1, 30); i > 0; i--) {
        session.grow();
      }
      byte[] all = session.bytes();
      Set<Integer> sizes = new TreeSet<>(Set.of(all.length));
      for (int i = 0; i < 4; i++) {
        sizes.add(random.nextInt(all.length + 1));
      }
      everyVersionComesBack(seed, sizes.stream().map(size -> Arrays.copyOf(all, size)).toList());
    }
  }

  @Test
  void aFileThatIsDamagedAgainAndAgainComesBackAtEachState() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomSession session = new RandomSession(random);
      List<byte[]> versions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        for (int n = random.nextInt(8); n > 0; n--) {
          session.grow();
        }
        versions.add(random.nextInt(3) == 0 ? session.bytes() : session.damaged());
      }
      versions.add(versions.getFirst());
      everyVersionComesBack(seed, versions);
    }
  }

  /// A refusal leaves no trace.
  private static Optional<ImportReport> importOrRefuse(PiImport pi, Path file, Store store) {
    var counts = store.counts();
    try {
      return Optional.of(pi.session(file));
    } catch (StoreException.Invalid e) {
      assertThat(e).hasMessageContaining("expected a session of Pi");
      assertThat(store.counts()).isEqualTo(counts);
      return Optional.empty();
    }
  }

  /// Imports each version under one name, each twice; exports all of them in the end.
  private void everyVersionComesBack(int seed, List<byte[]> versions) throws IOException {
    Path file = folder.resolve("s.jsonl");
    Path copy = folder.resolve("copy");
    Map<TurnId, byte[]> manifests = new LinkedHashMap<>();
    try (Store store = new StoreModel()) {
      PiImport pi = new PiImport(store);
      for (byte[] version : versions) {
        Files.write(file, version);
        Optional<ImportReport> imported = importOrRefuse(pi, file, store);
        if (imported.isEmpty()) {
          continue;
        }
        ImportReport report = imported.get();
        manifests.put(report.manifest().turn(), version);
        var counts = store.counts();
        var contexts = store.contexts(null, 10_000);
        ImportReport again = pi.session(file);
        assertThat(store.counts()).as("seed %d", seed).isEqualTo(counts);
        assertThat(store.contexts(null, 10_000)).as("seed %d", seed).isEqualTo(contexts);
        assertThat(again.manifest()).as("seed %d", seed).isEqualTo(report.manifest());
      }
      for (Map.Entry<TurnId, byte[]> each : manifests.entrySet()) {
        PiExport.version(store, each.getKey(), copy);
        assertThat(Files.readAllBytes(copy)).as("seed %d", seed).isEqualTo(each.getValue());
        Files.delete(copy);
      }
    }
  }

  @Test
  void contextsFollowTheLeavesOfAGrowingSessionAndNoneIsLeftBehind() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomSession session = new RandomSession(random);
      try (Store store = new StoreModel()) {
        for (int i = 0; i < 6; i++) {
          for (int n = random.nextInt(6); n > 0; n--) {
            session.grow();
          }
          ImportReport report =
              new PiImport(store).session(Files.write(folder.resolve("s.jsonl"), session.bytes()));
          assertThat(leaves(store, report)).as("seed %d", seed).isEqualTo(session.leaves());
          assertThat(store.counts().contexts())
              .as("seed %d", seed)
              .isEqualTo(1 + session.leaves().size());
        }
      }
    }
  }

  @Test
  void forksOfForksShareTurnsInAnyOrder() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<RandomSession> sessions = new ArrayList<>();
      sessions.add(new RandomSession(random));
      for (int i = 0; i < 5; i++) {
        RandomSession session = sessions.get(random.nextInt(sessions.size()));
        for (int n = random.nextInt(6); n > 0; n--) {
          session.grow();
        }
        sessions.add(session.fork());
      }
      Set<String> entries = new HashSet<>();
      sessions.forEach(session -> entries.addAll(session.ids()));
      try (Store store = new StoreModel()) {
        long turns = 0;
        for (int i = 0; i < 20; i++) { // some twice, in any order
          int n = i < sessions.size() ? i : random.nextInt(sessions.size());
          int at = (n * 5 + 3) % sessions.size();
          Path file = Files.write(folder.resolve(at + ".jsonl"), sessions.get(at).bytes());
          ImportReport report = new PiImport(store).session(file);
          turns += report.records().turnsNew();
          assertThat(leaves(store, report))
              .as("seed %d", seed)
              .isEqualTo(sessions.get(at).leaves());
        }
        assertThat(turns).as("seed %d", seed).isEqualTo(entries.size());
      }
    }
  }

  private static Set<String> leaves(Store store, ImportReport report) {
    Set<String> leaves = new HashSet<>();
    PiAbout.Whole whole = (PiAbout.Whole) PiExport.about(store, report.manifest().context());
    whole
        .contexts()
        .forEach(
            context -> {
              if (PiExport.about(store, context) instanceof PiAbout.Branch branch
                  && branch.former() == null) {
                assertThat(leaves.add(branch.leaf())).isTrue();
              }
            });
    return leaves;
  }
}
