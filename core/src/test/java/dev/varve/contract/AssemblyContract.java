// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.noise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.sim.ReferenceBlake3;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Large blobs put together from chunks that somebody else cut. The lists are made here byte by
/// byte, as their page says.
public interface AssemblyContract extends StoreFixture {

  private static byte[] list(Object... hashesAndLengths) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < hashesAndLengths.length; i += 2) {
      bytes.writeBytes(((BlobHash) hashesAndLengths[i]).bytes());
      int length = ((Number) hashesAndLengths[i + 1]).intValue();
      bytes.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
    }
    return bytes.toByteArray();
  }

  @Test
  default void aBlobMovesToAnotherStoreChunkByChunk() throws IOException {
    Payload content = noise(1, 2_500_000);
    BlobHash hash = store().put(new ByteArrayInputStream(content.bytes()), null);
    Payload root = store().findChunkList(hash).orElseThrow();
    Store other = openWith(StoreLimits.DEFAULTS);
    for (int at = 0; at < root.sizeBytes(); at += 36) {
      Payload list = store().get(BlobHash.of(Arrays.copyOfRange(root.bytes(), at, at + 32)));
      other.put(list);
      for (int from = 0; from < list.sizeBytes(); from += 36) {
        other.put(store().get(BlobHash.of(Arrays.copyOfRange(list.bytes(), from, from + 32))));
      }
    }
    assertThat(other.has(hash)).isFalse();

    assertThat(other.assemble(hash, root)).isEqualTo(hash);
    assertThat(other.assemble(hash, root)).as("once more").isEqualTo(hash);

    assertThat(other.get(hash)).isEqualTo(content);
    assertThat(other.findChunkList(hash)).contains(root);
    assertThat(other.counts().blobs()).isEqualTo(store().counts().blobs());
    assertThat(other.counts().rawBytes()).isEqualTo(store().counts().rawBytes());
  }

  @Test
  default void anyCutsWillDo() {
    Payload one = noise(2, 65_536);
    Payload two = Payload.utf8("x");
    BlobHash first = store().put(one);
    BlobHash second = store().put(two);
    byte[] content = Arrays.copyOf(one.bytes(), 65_537);
    content[65_536] = 'x';
    BlobHash whole = ReferenceBlake3.hash(Payload.wrap(content));
    BlobHash list = store().put(Payload.wrap(list(first, 65_536, second, 1)));

    store().assemble(whole, Payload.wrap(list(list, 65_537)));

    assertThat(store().get(whole)).isEqualTo(Payload.wrap(content));
    assertThat(store().sizeBytes(whole)).isEqualTo(65_537);
  }

  @Test
  default void whatIsNoListOfThatContentIsRefused() {
    Payload chunk = noise(3, 40_000);
    BlobHash chunkHash = store().put(chunk);
    byte[] content = Arrays.copyOf(chunk.bytes(), 80_000);
    System.arraycopy(chunk.bytes(), 0, content, 40_000, 40_000);
    BlobHash whole = ReferenceBlake3.hash(Payload.wrap(content));
    BlobHash list = store().put(Payload.wrap(list(chunkHash, 40_000, chunkHash, 40_000)));
    BlobHash single = store().put(Payload.wrap(list(chunkHash, 40_000)));
    BlobHash wrongSizes = store().put(Payload.wrap(list(chunkHash, 39_999, chunkHash, 40_001)));
    BlobHash missing = store().put(Payload.wrap(list(chunkHash, 40_000, ABSENT_BLOB, 40_000)));
    BlobHash empty = store().put(Payload.wrap(list(chunkHash, 40_000, chunkHash, 0)));
    BlobHash large = store().put(Payload.wrap(list(chunkHash, 65_537)));
    byte[] endless = new byte[36 * 257];
    for (int i = 0; i < 257; i++) {
      System.arraycopy(list(chunkHash, 40_000), 0, endless, 36 * i, 36);
    }
    BlobHash tooMany = store().put(Payload.wrap(endless));

    Map<String, byte[]> wrong = new LinkedHashMap<>();
    wrong.put("nothing", new byte[0]);
    wrong.put("half an entry", Arrays.copyOf(list(list, 80_000), 35));
    wrong.put("another hash", list(list, 80_000, single, 40_000));
    wrong.put("no more than a chunk", list(single, 40_000));
    wrong.put("a list that is not there", list(ABSENT_BLOB, 80_000));
    wrong.put("a chunk where a list should be", list(chunkHash, 80_000));
    wrong.put("a list of another size", list(list, 80_001));
    wrong.put("a list of nothing", list(list, 80_000, single, 0));
    wrong.put("chunks of other sizes", list(wrongSizes, 80_000));
    wrong.put("a chunk that is not there", list(missing, 80_000));
    wrong.put("an empty chunk", list(empty, 40_000, single, 40_000));
    wrong.put("a chunk that is too large", list(large, 65_537));
    wrong.put("too many chunks in a list", list(tooMany, 257 * 40_000));
    wrong.put("a list for more than any list", list(list, 80_000, list, -1));
    wrong.put("more entries than a root list has", new byte[36 * ((1 << 17) + 1)]);
    wrong.put("lists in lists", list(store().put(Payload.wrap(list(list, 72))), 80_000));
    wrong.forEach(
        (name, root) ->
            assertThatThrownBy(() -> store().assemble(whole, Payload.wrap(root)))
                .as(name)
                .isInstanceOf(StoreException.Invalid.class));
    assertThat(store().has(whole)).isFalse();

    store().assemble(whole, Payload.wrap(list(list, 80_000)));
    assertThat(store().get(whole)).isEqualTo(Payload.wrap(content));
  }

  @Test
  default void aListThatSaysMoreThanABlobMayHaveIsRefused() {
    Payload chunk = noise(4, 65_536);
    BlobHash chunkHash = store().put(chunk);
    byte[] full = new byte[36 * 256];
    for (int i = 0; i < 256; i++) {
      System.arraycopy(list(chunkHash, 65_536), 0, full, 36 * i, 36);
    }
    BlobHash list = store().put(Payload.wrap(full));
    byte[] root = new byte[36 * 256];
    for (int i = 0; i < 256; i++) {
      System.arraycopy(list(list, 1 << 24), 0, root, 36 * i, 36);
    }

    assertThatThrownBy(() -> store().assemble(ABSENT_BLOB, Payload.wrap(root)))
        .as("4 GiB of which nothing is read")
        .isInstanceOf(StoreException.Invalid.class);
  }
}
