// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.AppendFile;
import dev.varve.disk.Growth;
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

  private record Seen(List<Long> records, List<String> damage) {}

  private static Seen scan(byte[] bytes, boolean checksums) {
    try (AppendFile file = AppendFile.open(new SimulatedDisk(0), BlobPack.FILE, Growth.DEFAULTS)) {
      file.write(0, ByteBuffer.wrap(bytes));
      file.end(bytes.length);
      Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
      new PackScan(file, checksums)
          .scan(
              0,
              bytes.length,
              new PackScan.Visitor() {
                @Override
                public void record(long offset, BlobRecord record) {
                  seen.records().add(offset);
                }

                @Override
                public void damage(long offset, long end) {
                  seen.damage().add(offset + "-" + end);
                }
              });
      return seen;
    }
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
      assertThat(scan(pack.bytes.toByteArray(), checksums))
          .isEqualTo(new Seen(pack.offsets, List.of()));
    }
    assertThat(scan(new byte[0], true)).isEqualTo(new Seen(List.of(), List.of()));
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

    assertThat(scan(pack.bytes.toByteArray(), true))
        .as("a blob that is itself a pack")
        .isEqualTo(new Seen(pack.offsets, List.of()));
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

    assertThat(scan(bytes, true))
        .isEqualTo(new Seen(List.of(pack.offsets.get(1)), List.of("0-" + pack.end(0))));
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
      assertThat(seen).isEqualTo(new Seen(List.of((long) gap), List.of("0-" + gap)));
    }
  }
}
