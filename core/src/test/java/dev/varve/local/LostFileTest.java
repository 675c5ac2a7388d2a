// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.CheckReport.Problem;
import dev.varve.ContextId;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A primary file that is gone, or shorter than it must be: the store opens and says what is lost,
/// loudly and for ever.
class LostFileTest {

  private static HeardLog log;
  private static Furnished furnished;

  @BeforeAll
  static void furnish() {
    log = new HeardLog();
    furnished = new Furnished();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  static List<String> primary() {
    return StoreFiles.GROWING.stream().filter(file -> !StoreFiles.DERIVED.contains(file)).toList();
  }

  @ParameterizedTest
  @MethodSource("primary")
  void aFileThatIsGoneIsNamed(String file) {
    assertLossIsTold(file, furnished.image.without(file));
    assertLossIsTold(file, furnished.image.with(file, new byte[0]));
  }

  @ParameterizedTest
  @MethodSource("primary")
  void aFileThatIsTooShortIsNamed(String file) {
    byte[] bytes = furnished.image.file(file);
    for (int length : new int[] {1, bytes.length / 3, bytes.length / 2}) {
      assertLossIsTold(file, furnished.image.with(file, Arrays.copyOf(bytes, length)));
    }
  }

  /// The derived files say how much there was.
  @ParameterizedTest
  @MethodSource("primary")
  void aFileThatIsGoneTogetherWithTheCheckpointIsNamed(String file) {
    DiskImage image = furnished.image.without(Checkpoint.FILE);
    for (DiskImage damaged : List.of(image.without(file), image.with(file, new byte[0]))) {
      log.complaints();
      LocalStore store = Furnished.open(damaged.disk());
      assertThat(log.complaints()).anyMatch(said -> said.startsWith("SEVERE"));
      assertThat(store.check().problems())
          .anyMatch(problem -> problem.file().equals(file) && !problem.derived());
      store.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads.log", "overlays.log", "turns.log", "turns.meta"})
  void recordsThatAreGoneTogetherWithTheCheckpointAreNamedForEver(String file) {
    DiskImage image = furnished.image.without(Checkpoint.FILE);
    byte[] bytes = furnished.image.file(file);
    assertLossIsTold(file, image.without(file));
    assertLossIsTold(file, image.with(file, Arrays.copyOf(bytes, bytes.length / 2)));
  }

  /// A blob that no turn refers to has no other trace than the tables.
  @Test
  void blobsThatAreGoneTogetherWithTheCheckpointAreCounted() {
    byte[] pack = furnished.image.file(BlobPack.FILE);
    DiskImage image =
        furnished
            .image
            .without(Checkpoint.FILE)
            .with(BlobPack.FILE, Arrays.copyOf(pack, pack.length / 2));
    LocalStore store = Furnished.open(image.disk());
    assertThat(store.check().problems())
        .anyMatch(problem -> problem.what().matches("blobs.pack at byte .* more blobs were .*"));
    store.close();
  }

  private static void assertLossIsTold(String file, DiskImage image) {
    log.complaints();
    SimulatedDisk disk = image.disk();
    LocalStore store = Furnished.open(disk);
    assertThat(log.complaints()).anyMatch(said -> said.startsWith("SEVERE") && said.contains(file));
    for (int opening = 0; opening < 3; opening++) {
      assertThat(store.check().problems())
          .anyMatch(problem -> problem.file().equals(file) && !problem.derived());
      Turn turn = store.append(store.createContext().id(), Furnished.newTurn(3000 + opening));
      assertThat(turn.id().value()).isGreaterThan(Furnished.TURNS);
      assertThat(store.turn(turn.id(), View.AS_WRITTEN).payload())
          .isEqualTo(Furnished.payload(3000 + opening));
      store.close();
      store = Furnished.open(disk);
    }
    store.close();
  }

  /// A checkpoint keeps the last block of each file: of a small store nothing is lost.
  @Test
  void whatTheCheckpointKeepsComesBack() {
    byte[] turns = furnished.image.file("turns.log");
    int kept = turns.length / 4096 * 4096;
    DiskImage image = furnished.image.with("turns.log", Arrays.copyOf(turns, kept));
    LocalStore store = Furnished.open(image.disk());
    assertThat(furnished.differences(store)).isEmpty();
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  @Test
  void allPrimaryFilesMayBeGoneAtOnce() {
    DiskImage image = furnished.image;
    for (String file : primary()) {
      image = image.without(file);
    }
    LocalStore store = Furnished.open(image.disk());
    assertThat(store.check().problems()).extracting(Problem::file).contains("turns.log");
    ContextId context = store.createContext().id();
    assertThat(context.value()).isGreaterThan(Furnished.CONTEXTS);
    assertThat(store.append(context, Furnished.newTurn(1)).id().value())
        .isGreaterThan(Furnished.TURNS);
    store.close();
  }
}
