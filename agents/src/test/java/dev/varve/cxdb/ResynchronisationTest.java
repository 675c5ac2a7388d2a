// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreLimits;
import dev.varve.blob.Codec;
import dev.varve.hash.Blake3;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ProblemList;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the next record is found behind bytes that are none.
class ResynchronisationTest {

  @TempDir Path folder;
  private final ProblemList problems = new ProblemList();

  private SourceFile file(byte[] content) throws IOException {
    Files.write(folder.resolve("file"), content);
    return SourceFile.open(folder, "file", ImportListener.NONE);
  }

  /// A header that promises `size` stored bytes.
  private static byte[] promise(int size) {
    return ByteBuffer.allocate(48)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {0x42, 0x4C, 0x53, 0x42})
        .putShort((short) 1)
        .putShort((short) 0)
        .putInt(size)
        .putInt(size)
        .array();
  }

  @Test
  void promisesOfLongRecordsCostNoMoreThanTheFilesBytes() throws IOException {
    CxdbDirectory cxdb = new CxdbDirectory();
    SplittableRandom random = new SplittableRandom(1);
    int sound = 0;
    for (int i = 0; i < 30_000; i++) {
      cxdb.pack.writeBytes(promise(2_000_000 + random.nextInt(100_000)));
      if (i % 10 == 0) {
        cxdb.blob(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
        sound++;
      }
    }
    byte[] pack = Arrays.copyOf(cxdb.pack.toByteArray(), cxdb.pack.size() + 2_500_000);
    StoreModel store = new StoreModel();
    try (SourceFile file = file(pack)) {
      PackReader reader = new PackReader(file, StoreLimits.DEFAULTS, Codec.ZSTD::decode);

      assertThat(reader.read(store, problems)).isEqualTo(sound);
      assertThat(file.readBytes()).isLessThan(12L * pack.length);
    }
    assertThat(problems.summary().count()).isEqualTo(sound + 1);
  }

  /// Records in records, each with a right checksum and a wrong hash: to hash them all would take
  /// time in proportion to the square of the file's size.
  @Test
  void aRecordWithARightChecksumAndAnotherHashIsPassedOverWhole() throws IOException {
    CxdbDirectory inner = new CxdbDirectory();
    inner.blob(new byte[] {1});
    CxdbDirectory cxdb = new CxdbDirectory();
    byte[] nested = inner.pack.toByteArray();
    cxdb.blob(0, nested.length, nested, new BlobHash(1, 2, 3, 4));
    BlobHash behind = cxdb.blob(new byte[] {2});
    StoreModel store = new StoreModel();
    try (SourceFile file = file(cxdb.pack.toByteArray())) {
      new PackReader(file, StoreLimits.DEFAULTS, Codec.ZSTD::decode).read(store, problems);
    }

    assertThat(store.has(behind)).isTrue();
    assertThat(store.has(Blake3.hash(new byte[] {1}))).isFalse();
    assertThat(store.get(behind)).isEqualTo(Payload.of(new byte[] {2}));
    assertThat(problems.summary().count()).isEqualTo(1);
  }

  /// The last numbers of a declaration, taken for the first ones of another: turn 3, a type without
  /// a name.
  @Test
  void numbersInTheMiddleOfADeclarationAreNotTakenForOne() throws IOException {
    CxdbDirectory cxdb = new CxdbDirectory();
    cxdb.meta(1, "com.example.Message", 7, 3, 0, 0);
    cxdb.meta(2, "com.example.Message", 7, 3, 0, 0);
    cxdb.meta(3, "com.example.Other", 8, 1, 1, 9);
    byte[] bytes = cxdb.meta.toByteArray();
    bytes[8] ^= 0x40; // the first one's length
    NumberIndex turns = new NumberIndex();
    for (int turn = 1; turn <= 3; turn++) {
      turns.add(turn, 0);
    }
    turns.close();
    try (SourceFile file = file(bytes)) {
      MetaReader reader = MetaReader.read(file, turns, problems);

      assertThat(reader.find(1)).isEmpty();
      assertThat(reader.find(2).orElseThrow().type().id()).isEqualTo("com.example.Message");
      assertThat(reader.find(3).orElseThrow().type().id()).isEqualTo("com.example.Other");
      assertThat(reader.find(3).orElseThrow().encoding()).isEqualTo(1);
    }
    assertThat(problems.summary().count()).isEqualTo(1);
  }
}
