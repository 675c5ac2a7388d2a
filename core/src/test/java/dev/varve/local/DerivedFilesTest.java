// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.CheckReport.Problem;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.blob.BlobPack;
import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.local.History.Moment;
import dev.varve.turn.HeadTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever happens to a file that can be made again from the others, the store opens, gives every
/// answer right, and makes the file whole.
class DerivedFilesTest {

  private static HeardLog log;
  private static List<Moment> history;
  private static List<Moment> other;

  @BeforeAll
  static void makeStores() {
    log = new HeardLog();
    history = History.of(1, 4, 70);
    other = History.of(2, 4, 70);
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  static List<String> derived() {
    return StoreFiles.DERIVED;
  }

  /// What a file may be replaced with so that it is noticed when the store is opened; null for
  /// nothing at all.
  private static Map<String, byte[]> replacements(String file, DiskImage image) {
    byte[] bytes = image.file(file);
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("deleted", null);
    for (int length :
        new int[] {0, 1, 51, bytes.length / 2, bytes.length - 1, bytes.length - 128}) {
      all.put("cut to " + length, Arrays.copyOf(bytes, Math.clamp(length, 0, bytes.length)));
    }
    byte[] noise = new byte[bytes.length];
    new SplittableRandom(7).nextBytes(noise);
    all.put("noise", noise);
    all.put("zeros", new byte[bytes.length]);
    all.put("text", "not a file of ours\n".repeat(500).getBytes(StandardCharsets.UTF_8));
    all.put("of the first life", history.get(0).image().file(file));
    all.put("of the next life", history.get(2).image().file(file));
    all.put("of another store", other.get(1).image().file(file));
    return all;
  }

  @ParameterizedTest
  @MethodSource("derived")
  void isMadeAgainWhateverItHolds(String file) {
    Moment moment = history.get(1);
    replacements(file, moment.image())
        .forEach(
            (what, bytes) -> {
              DiskImage image =
                  bytes == null ? moment.image().without(file) : moment.image().with(file, bytes);
              SimulatedDisk disk = image.disk();
              LocalStore store = History.open(disk);
              assertThat(History.difference(moment.model(), store)).as(file + " " + what).isEmpty();
              assertThat(store.check().problems()).as(file + " " + what).isEmpty();
              store.close();
              log.complaints();
              assertThatNothingIsWrong(file + " " + what, moment, disk);
            });
  }

  private static void assertThatNothingIsWrong(String what, Moment moment, SimulatedDisk disk) {
    LocalStore again = History.open(disk);
    assertThat(History.difference(moment.model(), again)).as(what + ", again").isEmpty();
    assertThat(again.check().problems()).as(what + ", again").isEmpty();
    again.close();
    assertThat(log.complaints()).as(what + ": made again once is enough").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("derived")
  void isMadeAgainAfterACrashToo(String file) {
    Moment crashed = history.get(3);
    for (Moment from : List.of(history.get(0), history.get(2), other.get(2))) {
      LocalStore store = History.open(crashed.image().with(file, from.image().file(file)).disk());
      assertThat(History.difference(crashed.model(), store)).isEmpty();
      assertThat(store.check().problems()).isEmpty();
      store.close();
    }
    LocalStore store = History.open(crashed.image().without(file).disk());
    assertThat(History.difference(crashed.model(), store)).isEmpty();
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  /// A single wrong byte may stay unseen until somebody needs the place, but never changes an
  /// answer, and the check names the file as one that can be made again.
  @ParameterizedTest
  @MethodSource("derived")
  void neverLiesWhereverOneByteIsWrong(String file) {
    Moment moment = history.get(1);
    int length = moment.image().file(file).length;
    for (int offset = 0; offset < length; offset += length < 100 ? 1 : length < 4096 ? 37 : 331) {
      SimulatedDisk disk = moment.image().withFlip(file, offset).disk();
      LocalStore store = History.open(disk);
      assertThat(History.difference(moment.model(), store)).as(file + ", " + offset).isEmpty();
      assertThat(store.check().problems())
          .as(file + ", " + offset)
          .allMatch(Problem::derived)
          .allMatch(problem -> problem.file().equals(file));
      store.close();
    }
  }

  @Test
  void anIndexThatIsSpoiltInTheMiddleIsMadeAgainAtOpening() {
    Furnished furnished = new Furnished();
    int entry = BlobPack.INDEX_ENTRY_BYTES;
    int kept = furnished.image.file(BlobPack.INDEX_FILE).length / 4096 * 4096; // by the checkpoint
    assertThat(kept).isGreaterThan(20 * entry);
    for (int offset = entry + 3; offset < kept; offset += 7 * entry) {
      SimulatedDisk disk = furnished.image.withFlip(BlobPack.INDEX_FILE, offset).disk();
      log.complaints();
      LocalStore store = Furnished.open(disk);
      assertThat(log.complaints()).anyMatch(said -> said.contains(BlobPack.INDEX_FILE));
      assertThat(store.check().problems()).as("byte " + offset).isEmpty();
      assertThat(furnished.differences(store)).isEmpty();
      store.close();
    }
  }

  @Test
  void anIndexThatCheckFindsSpoiltIsMadeAgainAtTheNextOpening() {
    Moment moment = history.get(1);
    SimulatedDisk disk = moment.image().disk();
    LocalStore store = History.open(disk);
    try (DiskFile file = disk.open(BlobPack.INDEX_FILE)) {
      file.write(2L * BlobPack.INDEX_ENTRY_BYTES, ByteBuffer.wrap(new byte[40]));
    }
    assertThat(store.check().problems())
        .isNotEmpty()
        .allMatch(problem -> problem.derived() && problem.file().equals(BlobPack.INDEX_FILE));
    store.close();
    LocalStore again = History.open(disk);
    assertThat(again.check().problems()).isEmpty();
    assertThat(History.difference(moment.model(), again)).isEmpty();
    again.close();
  }

  @Test
  void allTogetherAreMadeAgain() {
    for (Moment moment : List.of(history.get(2), history.get(3))) {
      DiskImage image = moment.image();
      for (String file : StoreFiles.DERIVED) {
        image = image.without(file);
      }
      SimulatedDisk disk = image.disk();
      LocalStore store = History.open(disk);
      assertThat(History.difference(moment.model(), store)).isEmpty();
      assertThat(store.check().problems()).isEmpty();
      store.close();
      log.complaints();
      assertThatNothingIsWrong("all", moment, disk);
    }
  }

  /// Entries of a store whose records are as long as this one's carry no mark of their own.
  @Test
  void anIndexOfAStoreOfTheSameShapeIsNotTaken() {
    DiskImage mine = withBlobs(1);
    DiskImage theirs = withBlobs(2);
    assertThat(mine.file(BlobPack.FILE)).hasSameSizeAs(theirs.file(BlobPack.FILE));
    LocalStore store =
        History.open(
            mine.with(BlobPack.INDEX_FILE, theirs.file(BlobPack.INDEX_FILE))
                .without(BlobPack.MAP_FILE)
                .disk());
    assertThat(log.complaints()).anyMatch(said -> said.contains("blobs.idx: rebuilt"));
    noise(1).forEach(blob -> assertThat(store.get(Blake3.hash(blob.bytes()))).isEqualTo(blob));
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  /// Two closings between which nothing but the head moved: only what `heads.tbl` says of itself
  /// tells the copies apart.
  @Test
  void headsOfAnEarlierOrLaterTimeAreNotTaken() {
    SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore store = Furnished.open(disk);
    ContextId context = store.createContext().id();
    store.append(context, Furnished.newTurn(1));
    store.close();
    DiskImage earlier = DiskImage.of(disk);
    store = Furnished.open(disk);
    store.append(context, Furnished.newTurn(2));
    store.close();
    DiskImage later = DiskImage.of(disk);
    assertHead(earlier.with(HeadTable.FILE, later.file(HeadTable.FILE)), context, 1);
    assertHead(later.with(HeadTable.FILE, earlier.file(HeadTable.FILE)), context, 2);
  }

  private static void assertHead(DiskImage image, ContextId context, long turn) {
    LocalStore store = Furnished.open(image.disk());
    assertThat(store.head(context).head()).isEqualTo(new TurnId(turn));
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  @Test
  void aSlotThatWasMendedStaysMended() {
    Furnished furnished = new Furnished();
    SimulatedDisk disk = furnished.image.withFlip(HeadTable.FILE, 5 * 128 + 40).disk();
    LocalStore store = Furnished.open(disk);
    assertThat(furnished.differences(store)).isEmpty();
    store.close();
    assertThat(log.complaints()).anyMatch(said -> said.contains("heads.tbl"));
    store = Furnished.open(disk);
    assertThat(furnished.differences(store)).isEmpty();
    store.close();
    assertThat(log.complaints()).isEmpty();
  }

  private static DiskImage withBlobs(long seed) {
    SimulatedDisk disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore store = History.open(disk);
    noise(seed).forEach(store::put);
    store.close();
    return DiskImage.of(disk);
  }

  private static List<Payload> noise(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Payload> blobs = new ArrayList<>();
    for (int i = 0; i < 100; i++) { // more than the block that a checkpoint keeps
      byte[] bytes = new byte[100];
      random.nextBytes(bytes);
      blobs.add(Payload.wrap(bytes));
    }
    return blobs;
  }
}
