// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import dev.varve.hash.Blake3;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChunkListTest {

  private static final FormatPage PAGE = FormatPage.of("chunk-lists");
  private static final ChunkSizes SIZES = ChunkSizes.DEFAULTS;

  private static ListEntry entry(int number, long length) {
    return new ListEntry(new BlobHash(number, 1, 2, 3), length);
  }

  private static byte[] list(long... lengths) {
    List<ListEntry> entries = new ArrayList<>();
    for (long length : lengths) {
      entries.add(entry(entries.size(), length));
    }
    return ChunkList.write(entries);
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Entry").differences(ListEntry.ENTRY)).isEmpty();
    assertThat(ListEntry.ENTRY.byteSize()).isEqualTo(ListEntry.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    List<ListEntry> entries =
        List.of(
            new ListEntry(Example.HELLO_HASH, 5), new ListEntry(Blake3.hash(new byte[] {'x'}), 1));

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(ChunkList.write(entries)));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    BlobHash hash = new BlobHash(6, 7, 8, 9);
    byte[] bytes = ChunkList.write(List.of(new ListEntry(hash, 0xfffffffeL)));

    assertThat(Bytes.fields(ListEntry.ENTRY, MemorySegment.ofArray(bytes)))
        .isEqualTo(Map.of("hash", hash.toString(), "length", 0xfffffffeL));
  }

  @Test
  void aListTellsWhereEachByteIs() {
    ChunkList list = ChunkList.chunks(list(3, 1, 65_536), SIZES);

    assertThat(list.count()).isEqualTo(3);
    assertThat(list.sizeBytes()).isEqualTo(65_540);
    assertThat(list.hash(1)).isEqualTo(entry(1, 1).hash());
    assertThat(list.length(2)).isEqualTo(65_536);
    assertThat(list.start(2)).isEqualTo(4);
    assertThat(List.of(list.at(0), list.at(2), list.at(3), list.at(4), list.at(65_539)))
        .containsExactly(0, 0, 1, 2, 2);
  }

  @Test
  void whatNoListSaysIsRefused() {
    for (byte[] bytes :
        new byte[][] {
          {},
          new byte[35],
          new byte[37],
          list(0),
          list(5, 0),
          list(65_537),
          list(-1),
          list(new long[257])
        }) {
      assertThatThrownBy(() -> ChunkList.chunks(bytes, SIZES))
          .as("%d bytes", bytes.length)
          .isInstanceOf(StoreException.Invalid.class);
    }
  }

  @Test
  void whatNoRootListSaysIsRefused() {
    long most = 1 << 24;
    long[] fourGigabytes = new long[256];
    Arrays.fill(fourGigabytes, most);
    assertThat(ChunkList.root(list(65_537), SIZES).sizeBytes()).isEqualTo(65_537);
    long[] almost = fourGigabytes.clone();
    almost[255]--;
    assertThat(ChunkList.root(list(almost), SIZES).sizeBytes()).isEqualTo((1L << 32) - 1);
    for (byte[] bytes :
        new byte[][] {{}, list(65_536), list(most + 1), list(most, 0), list(fourGigabytes)}) {
      assertThatThrownBy(() -> ChunkList.root(bytes, SIZES))
          .as("%d bytes", bytes.length)
          .isInstanceOf(StoreException.Invalid.class);
    }
  }

  @Test
  void sizesThatContradictEachOtherAreRefused() {
    for (int[] s :
        new int[][] {
          {0, 16, 64, 1, 2, 4},
          {16, 16, 64, 1, 2, 4},
          {4, 16, 16, 1, 2, 4},
          {4, 17, 64, 1, 2, 4},
          {4, 16, 64, 0, 2, 4},
          {4, 16, 64, 4, 2, 4},
          {4, 16, 64, 1, 3, 4}
        }) {
      assertThatThrownBy(() -> new ChunkSizes(s[0], s[1], s[2], s[3], s[4], s[5]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
