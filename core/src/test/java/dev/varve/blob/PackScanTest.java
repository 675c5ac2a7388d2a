// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackScanTest {

  /// A pack in memory, and where its records are.
  private static final class Pack {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final List<Long> offsets = new ArrayList<>();

    void add(byte[] stored) {
      BlobRecord record =
          new BlobRecord(Codec.NONE.number(), stored.length, stored.length, Blake3.hash(stored));
      byte[] whole = new byte[(int) record.sizeBytes()];
      record.writeAll(stored, MemorySegment.ofArray(whole), 0);
      offsets.add((long) bytes.size());
      bytes.writeBytes(whole);
    }

    long end(int record) {
      return record + 1 < offsets.size() ? offsets.get(record + 1) : bytes.size();
    }
  }

  private record Seen(List<Long> records, List<String> damage, long verifiedBytes) {

    Seen {
      records = List.copyOf(records);
      damage = List.copyOf(damage);
    }
  }

  private static Seen scan(byte[] bytes, boolean checksums) {
    try (AppendFile file =
        AppendFile.open(new SimulatedDisk(0), BlobPack.FILE, FileGrowth.DEFAULTS)) {
      file.write(0, ByteBuffer.wrap(bytes));
      file.end(bytes.length);
      List<Long> records = new ArrayList<>();
      List<String> damage = new ArrayList<>();
      PackScan scan = new PackScan(file, checksums);
      scan.scan(
          0,
          bytes.length,
          new PackScan.Visitor() {
            @Override
            public void record(long offset, BlobRecord record) {
              records.add(offset);
            }

            @Override
            public void damage(long offset, long end) {
              damage.add(offset + "-" + end);
            }
          });
      return new Seen(records, damage, scan.verifiedBytes());
    }
  }

  private static void assertSeen(Seen seen, List<Long> records, List<String> damage) {
    assertThat(seen.records()).isEqualTo(records);
    assertThat(seen.damage()).isEqualTo(damage);
  }

  private static byte[] noise(SplittableRandom random, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void aSoundPackIsItsRecords() {
    SplittableRandom random = new SplittableRandom(1);
    Pack pack = new Pack();
    for (int i = 0; i < 20; i++) {
      pack.add(noise(random, i == 3 ? 0 : random.nextInt(300)));
    }

    for (boolean checksums : new boolean[] {true, false}) {
      assertSeen(scan(pack.bytes.toByteArray(), checksums), pack.offsets, List.of());
    }
    assertSeen(scan(new byte[0], true), List.of(), List.of());
  }

  @Test
  void damageAnywhereInARecordCostsThatRecordAlone() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Pack pack = new Pack();
      for (int i = 0; i < 8; i++) {
        pack.add(noise(random, random.nextInt(200)));
      }
      int hurt = random.nextInt(8);
      byte[] bytes = pack.bytes.toByteArray();
      long from = pack.offsets.get(hurt);
      int at = (int) random.nextLong(from, pack.end(hurt));
      bytes[at] ^= (byte) (1 + random.nextInt(255));

      Seen seen = scan(bytes, true);

      List<Long> others = new ArrayList<>(pack.offsets);
      others.remove(hurt);
      assertThat(seen.records()).as("seed %d", seed).isEqualTo(others);
      assertThat(seen.damage()).as("seed %d", seed).containsExactly(from + "-" + pack.end(hurt));
    }
  }

  @Test
  void withoutChecksumsDamagedLengthsAndMagicsAreStillFound() {
    SplittableRandom random = new SplittableRandom(4);
    Pack pack = new Pack();
    for (int i = 0; i < 5; i++) {
      pack.add(noise(random, 100));
    }
    for (int at : new int[] {0, 3, 4, 12, 13, 15}) {
      byte[] bytes = pack.bytes.toByteArray();
      bytes[(int) (pack.offsets.get(2) + at)] ^= 0x40;
      Seen seen = scan(bytes, false);
      assertThat(seen.records())
          .as("byte %d of the record", at)
          .containsExactly(
              pack.offsets.get(0), pack.offsets.get(1), pack.offsets.get(3), pack.offsets.get(4));
      assertThat(seen.damage()).hasSize(1);
    }
  }

  @Test
  void whatLooksLikeARecordInsideABlobIsNotOne() {
    SplittableRandom random = new SplittableRandom(5);
    Pack inner = new Pack();
    inner.add(noise(random, 50));
    Pack pack = new Pack();
    pack.add(noise(random, 10));
    pack.add(inner.bytes.toByteArray());
    pack.add(noise(random, 10));

    assertSeen(scan(pack.bytes.toByteArray(), true), pack.offsets, List.of());
    byte[] bytes = pack.bytes.toByteArray();
    bytes[(int) (pack.offsets.get(1) + BlobRecord.HEADER_BYTES)] = 0; // its magic, no longer one
    assertThat(scan(bytes, true).records())
        .containsExactly(pack.offsets.get(0), pack.offsets.get(2));
  }

  @Test
  void recordsInsideADamagedBlobAreNotTakenForRecords() {
    SplittableRandom random = new SplittableRandom(7);
    Pack inner = new Pack();
    inner.add(noise(random, 50));
    inner.add(noise(random, 60));
    Pack pack = new Pack();
    pack.add(inner.bytes.toByteArray());
    pack.add(noise(random, 10));
    byte[] bytes = pack.bytes.toByteArray();
    bytes[(int) (pack.end(0) - 1)] ^= 1; // the checksum of the blob that is itself a pack

    assertSeen(scan(bytes, true), List.of(pack.offsets.get(1)), List.of("0-" + pack.end(0)));
  }

  @Test
  void damageAtTheEndIsDamage() {
    Pack pack = new Pack();
    pack.add(new byte[10]);
    long end = pack.bytes.size();
    pack.add(new byte[100]);
    byte[] whole = pack.bytes.toByteArray();
    for (int cut = (int) end + 1; cut < whole.length; cut += 7) {
      Seen seen = scan(Arrays.copyOf(whole, cut), true);
      assertThat(seen.records()).containsExactly(0L);
      assertThat(seen.damage()).containsExactly(end + "-" + cut);
    }
  }

  @Test
  void aRecordBehindMuchDamageIsFound() {
    SplittableRandom random = new SplittableRandom(6);
    for (int gap : new int[] {1, 65_533, 65_534, 65_535, 65_536, 65_537, 200_000}) {
      Pack record = new Pack();
      record.add(noise(random, 40));
      byte[] bytes = new byte[gap + record.bytes.size()];
      System.arraycopy(record.bytes.toByteArray(), 0, bytes, gap, record.bytes.size());
      Seen seen = scan(bytes, true);
      assertSeen(seen, List.of((long) gap), List.of("0-" + gap));
    }
  }

  /// Whoever can put a blob can put headers into it that promise much, and damage the record around
  /// them.
  @Test
  void whatPromisesToBeLongCostsNoMoreTimeThanItsBytes() {
    int headers = 15_000;
    byte[] stored = new byte[headers * 60];
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < headers; i++) {
      int room = stored.length - i * 60 - BlobRecord.HEADER_BYTES - BlobRecord.CRC_BYTES;
      int promised = Math.max(0, room - random.nextInt(100));
      new BlobRecord(0, promised, promised, new BlobHash(i, 0, 0, 0))
          .write(MemorySegment.ofArray(stored), i * 60L);
    }
    Pack pack = new Pack();
    pack.add(stored);
    pack.add(noise(random, 100));
    byte[] bytes = pack.bytes.toByteArray();
    bytes[0] ^= 1;

    for (boolean checksums : new boolean[] {true, false}) {
      Seen seen = scan(bytes, checksums);

      assertThat(seen.records()).containsExactly(pack.offsets.get(1));
      assertThat(seen.damage()).containsExactly("0-" + pack.offsets.get(1));
      assertThat(seen.verifiedBytes()).isLessThan(12L * bytes.length);
    }
  }

  @Test
  void promisesBetweenSoundRecordsCostNoMoreEither() {
    SplittableRandom random = new SplittableRandom(9);
    Pack pack = new Pack();
    byte[] promise = new byte[BlobRecord.HEADER_BYTES];
    new BlobRecord(0, 500_000, 500_000, new BlobHash(1, 2, 3, 4))
        .write(MemorySegment.ofArray(promise), 0);
    for (int i = 0; i < 4_000; i++) {
      pack.bytes.writeBytes(promise);
      pack.add(noise(random, 60));
    }
    byte[] bytes = Arrays.copyOf(pack.bytes.toByteArray(), pack.bytes.size() + 100_000);

    Seen seen = scan(bytes, true);

    assertThat(seen.records()).isEqualTo(pack.offsets);
    assertThat(seen.verifiedBytes()).isLessThan(12L * bytes.length);
  }
}
