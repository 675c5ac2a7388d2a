// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.CheckReport.Problem;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.BlobRecord;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.journal.Checkpoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Damage of a blob that is kept as chunks, and lists that lie: whoever reads is told where, parts
/// beside the damage read, the check names the damage and the blobs that it costs, and putting the
/// content again heals it.
class ChunkDamageTest {

  private static final int SIZE = 6_400;
  private static final byte[] CONTENT = noise(1, SIZE);
  private static final BlobHash WHOLE = Blake3.hash(CONTENT);

  private static HeardLog log;
  private static DiskImage image;
  private static List<Record> records;

  /// A record of the pack and where it is.
  private record Record(long offset, BlobRecord header) {}

  @BeforeAll
  static void fill() throws IOException {
    log = new HeardLog();
    SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore store = History.open(disk);
    put(store, CONTENT);
    for (int i = 0; i < 4; i++) {
      store.put(Payload.wrap(noise(2 + i, 500))); // a checkpoint heals damage in the last block
    }
    store.close();
    image = DiskImage.of(disk);
    records = records(image.file(BlobPack.FILE));
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  private static byte[] noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static void put(LocalStore store, byte[] content) {
    try {
      store.put(new ByteArrayInputStream(content), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(LocalStore store, long from, long length) {
    try {
      return store.read(WHOLE, from, length).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Record> records(byte[] pack) {
    List<Record> found = new ArrayList<>();
    MemorySegment bytes = MemorySegment.ofArray(pack);
    for (long at = 0; at < pack.length; at += found.getLast().header().sizeBytes()) {
      found.add(new Record(at, BlobRecord.read(bytes.asSlice(at, 48)).orElseThrow()));
    }
    return found;
  }

  private static Record record(BlobHash hash) {
    return records.stream().filter(r -> r.header().hash().equals(hash)).findFirst().orElseThrow();
  }

  private static BlobHash entry(byte[] list, int index) {
    return BlobHash.of(Arrays.copyOfRange(list, index * 36, index * 36 + 32));
  }

  /// The records of the whole, its first list, and that list's first chunk.
  private static Map<String, Record> parts() {
    LocalStore store = History.open(image.disk());
    BlobHash list = entry(store.findChunkList(WHOLE).orElseThrow().bytes(), 0);
    BlobHash chunk = entry(store.get(list).bytes(), 0);
    store.close();
    Map<String, Record> parts = new LinkedHashMap<>();
    parts.put("whole", record(WHOLE));
    parts.put("list", record(list));
    parts.put("chunk", record(chunk));
    return parts;
  }

  @Test
  void damageAnywhereIsToldAndHealedByPuttingTheContentAgain() {
    parts()
        .forEach(
            (what, part) -> {
              for (int field : new int[] {0, 6, 9, 13, 20, 50}) {
                DiskImage damaged = image.withFlip(BlobPack.FILE, (int) part.offset() + field);
                for (DiskImage state : List.of(damaged, Furnished.withoutDerived(damaged))) {
                  tellsAndHeals(what + " at " + field, state, part, what.equals("whole"));
                }
              }
            });
  }

  private static void tellsAndHeals(String what, DiskImage damaged, Record part, boolean isWhole) {
    SimulatedDisk disk = damaged.disk();
    LocalStore store = History.open(disk);
    if (isWhole) { // without an index nobody knows that it was there
      assertThatThrownBy(() -> read(store, 0, SIZE))
          .as(what)
          .isInstanceOfAny(StoreException.Corrupt.class, StoreException.NotFound.class);
    } else {
      assertThatThrownBy(() -> read(store, 0, SIZE))
          .as(what)
          .isInstanceOfSatisfying(
              StoreException.Corrupt.class,
              e -> {
                assertThat(e.file()).isEqualTo(BlobPack.FILE);
                assertThat(e.offset()).isIn(part.offset(), record(WHOLE).offset());
              });
      assertThatThrownBy(() -> store.get(WHOLE))
          .as(what)
          .isInstanceOf(StoreException.Corrupt.class);
      assertThat(read(store, SIZE - 600, 600))
          .as(what + ", elsewhere")
          .isEqualTo(Arrays.copyOfRange(CONTENT, SIZE - 600, SIZE));
    }
    List<Problem> problems = store.check().problems();
    assertThat(problems).as(what).extracting(Problem::offset).contains(part.offset());
    if (!isWhole) {
      assertThat(problems).extracting(Problem::offset).contains(record(WHOLE).offset());
    }
    assertThat(problems).as(what).allMatch(problem -> !problem.derived());

    put(store, CONTENT);

    assertThat(read(store, 0, SIZE)).as(what).isEqualTo(CONTENT);
    assertThat(store.get(WHOLE)).isEqualTo(Payload.wrap(CONTENT));
    assertThat(store.check().problems()).as(what).isEmpty();
    store.close();
    LocalStore again = History.open(disk);
    assertThat(read(again, 0, SIZE)).as(what).isEqualTo(CONTENT);
    again.close();
  }

  @Test
  void puttingItAtOnceHealsTheBlobToo() {
    for (Record part : parts().values()) {
      LocalStore store =
          History.open(image.withFlip(BlobPack.FILE, (int) part.offset() + 60).disk());

      store.put(Payload.wrap(CONTENT));

      assertThat(store.get(WHOLE)).isEqualTo(Payload.wrap(CONTENT));
      assertThat(read(store, 100, 50)).isEqualTo(Arrays.copyOfRange(CONTENT, 100, 150));
      store.close();
    }
  }

  @Test
  void withoutAnythingDerivedAndWithoutACheckpointItIsAllThere() {
    LocalStore store =
        History.open(Furnished.withoutDerived(image).without(Checkpoint.FILE).disk());

    assertThat(read(store, 0, SIZE)).isEqualTo(CONTENT);
    assertThat(store.check().problems()).isEmpty();
    long kept = records.stream().mapToLong(r -> r.header().keptBytes()).sum();
    assertThat(store.counts().blobs()).isEqualTo(records.size());
    assertThat(store.counts().rawBytes()).as("the whole counts as its list").isEqualTo(kept);
    store.close();
  }

  // ---- lists that lie, with right checksums

  private static byte[] list(Object... hashesAndLengths) {
    ByteBuffer bytes =
        ByteBuffer.allocate(hashesAndLengths.length * 18).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < hashesAndLengths.length; i += 2) {
      bytes.put(((BlobHash) hashesAndLengths[i]).bytes());
      bytes.putInt(((Number) hashesAndLengths[i + 1]).intValue());
    }
    return bytes.array();
  }

  /// The store with records behind those that it has, opened by what its files say.
  private static LocalStore with(List<byte[]> records) {
    ByteArrayOutputStream pack = new ByteArrayOutputStream();
    pack.writeBytes(image.file(BlobPack.FILE));
    records.forEach(pack::writeBytes);
    return History.open(
        Furnished.withoutDerived(image)
            .without(Checkpoint.FILE)
            .with(BlobPack.FILE, pack.toByteArray())
            .disk());
  }

  private static byte[] record(int codec, long rawLength, BlobHash hash, byte[] stored) {
    BlobRecord header = new BlobRecord(codec, rawLength, stored.length, hash);
    byte[] bytes = new byte[(int) header.sizeBytes()];
    header.writeAll(stored, MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  private static byte[] piece(byte[] content) {
    return record(0, content.length, Blake3.hash(content), content);
  }

  @Test
  void listsThatLieAreRefusedAndNamed() {
    byte[] chunk = noise(3, 400);
    BlobHash chunkHash = Blake3.hash(chunk);
    byte[] good = list(chunkHash, 400, chunkHash, 400);
    byte[] nested = list(WHOLE, 400, chunkHash, 400);
    byte[] longer = list(chunkHash, 400, chunkHash, 401);
    BlobHash lie = new BlobHash(9, 9, 9, 9);
    Map<String, byte[]> roots = new LinkedHashMap<>();
    roots.put("nothing", new byte[0]);
    roots.put("no list", noise(4, 100));
    roots.put("too small", list(Blake3.hash(chunk), 400));
    roots.put("a sum that is not raw_len", list(Blake3.hash(good), 801));
    roots.put("a list of another size", list(Blake3.hash(good), 790, Blake3.hash(good), 10));
    roots.put("a chunk of another size", list(Blake3.hash(longer), 801 - 1));
    roots.put("a missing list", list(new BlobHash(1, 1, 1, 1), 800));
    roots.put("a chunk that is made of chunks", list(Blake3.hash(nested), 800));
    roots.put("the blob itself", list(lie, 800));
    roots.put("a chunk for a list", list(chunkHash, 800));
    roots.put("other content", list(Blake3.hash(good), 800));
    roots.forEach(
        (what, root) -> {
          LocalStore store =
              with(
                  List.of(
                      piece(chunk),
                      piece(good),
                      piece(nested),
                      piece(longer),
                      record(2, 800, lie, root)));

          assertThat(store.has(lie)).as(what).isTrue();
          assertThatThrownBy(() -> store.get(lie))
              .as(what)
              .isInstanceOf(StoreException.Corrupt.class);
          assertThatThrownBy(() -> store.read(lie, 0, 800).readAllBytes())
              .as(what)
              .isInstanceOf(StoreException.Corrupt.class);
          long offset = image.file(BlobPack.FILE).length + 452L + 3 * 124;
          assertThat(store.check().problems())
              .as(what)
              .singleElement()
              .satisfies(problem -> assertThat(problem.offset()).isEqualTo(offset));
          store.close();
        });
  }

  /// 4 GiB for a few bytes, and a record that says that it has more bytes than there are.
  @Test
  void promisesOfManyBytesTakeNoMemory() {
    byte[] chunk = noise(3, 512);
    byte[] list = list(Blake3.hash(chunk), 512);
    byte[] full = new byte[4 * 36];
    for (int i = 0; i < 4; i++) {
      System.arraycopy(list, 0, full, i * 36, 36);
    }
    byte[] root = new byte[36 * 1_000];
    for (int i = 0; i < 1_000; i++) {
      System.arraycopy(list(Blake3.hash(full), 2_048), 0, root, i * 36, 36);
    }
    BlobHash large = new BlobHash(8, 8, 8, 8);
    LocalStore store = with(List.of(piece(chunk), piece(full), record(2, 2_048_000, large, root)));

    assertThatThrownBy(() -> store.get(large)).isInstanceOf(StoreException.TooLarge.class);
    assertThat(store.sizeBytes(large)).isEqualTo(2_048_000);
    byte[] start = new byte[1_000];
    try {
      assertThat(store.read(large).read(start)).isEqualTo(512);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(Arrays.copyOf(start, 512)).as("what is verified is given").isEqualTo(chunk);
    assertThatThrownBy(() -> store.read(large).readAllBytes())
        .as("what is not is not")
        .isInstanceOf(StoreException.Corrupt.class);
    store.close();
  }
}
