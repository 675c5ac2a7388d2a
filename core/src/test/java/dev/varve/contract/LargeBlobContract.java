// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.noise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.sim.ReferenceBlake3;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blobs as streams: of any size, in chunks, each of which is kept once.
public interface LargeBlobContract extends StoreFixture {

  /// The most content that is kept in one piece.
  int ONE_PIECE_BYTES = 64 << 10;

  private static BlobHash put(Store store, byte[] content) {
    try {
      return store.put(new ByteArrayInputStream(content), null);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] allOf(InputStream stream) {
    try (stream) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4_096, 65_535, 65_536, 65_537, 100_000, 1 << 20, 3_000_001})
  default void aStreamComesBackUnderTheHashOfItsBytes(int sizeBytes) {
    for (byte[] content : new byte[][] {noise(sizeBytes, sizeBytes).bytes(), new byte[sizeBytes]}) {
      BlobHash hash = put(store(), content);

      assertThat(hash).isEqualTo(ReferenceBlake3.hash(Payload.wrap(content)));
      assertThat(store().has(hash)).isTrue();
      assertThat(store().sizeBytes(hash)).isEqualTo(sizeBytes);
      assertThat(allOf(store().read(hash))).isEqualTo(content);
      assertThat(store().get(hash)).isEqualTo(Payload.wrap(content));
      assertThat(store().findChunkList(hash).isPresent()).isEqualTo(sizeBytes > ONE_PIECE_BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 1 << 20})
  default void whatGrewIsTheSameAsIfItHadBeenPutAsAWhole(int sizeBytes) throws IOException {
    byte[] content = noise(sizeBytes, sizeBytes + 70_000).bytes();
    byte[] before = Arrays.copyOf(content, sizeBytes);
    BlobHash base = put(store(), before);
    byte[] state = new Blake3().update(before).saveState();
    BlobHash expected = ReferenceBlake3.hash(Payload.wrap(content));
    InputStream added = new ByteArrayInputStream(content, sizeBytes, 70_000);

    assertThat(store().putGrown(base, state, added, expected)).isEqualTo(expected);

    assertThat(allOf(store().read(expected))).isEqualTo(content);
    StoreCounts once = store().counts();
    put(store(), content);
    assertThat(store().counts()).as("cut alike").isEqualTo(once);
  }

  @Test
  default void whatGrewMustHaveTheHashThatIsExpected() {
    byte[] before = noise(5, 200_000).bytes();
    BlobHash base = put(store(), before);
    byte[] state = new Blake3().update(before).saveState();
    InputStream added = new ByteArrayInputStream(new byte[] {1});

    assertThatThrownBy(() -> store().putGrown(base, state, added, ABSENT_BLOB))
        .isInstanceOf(StoreException.Invalid.class);
    assertThat(store().has(ABSENT_BLOB)).isFalse();
    assertThatThrownBy(() -> store().putGrown(ABSENT_BLOB, state, added, null))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void howAStreamIsHandedOverMakesNoDifference() throws IOException {
    byte[] content = noise(1, 700_000).bytes();
    InputStream dribble =
        new FilterInputStream(new ByteArrayInputStream(content)) {
          private final SplittableRandom random = new SplittableRandom(7);

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(5_000)));
          }
        };
    BlobHash hash = store().put(dribble, null);
    StoreCounts once = store().counts();

    assertThat(put(store(), content)).isEqualTo(hash);
    assertThat(store().counts()).isEqualTo(once);
    byte[] slowly = new byte[content.length];
    try (InputStream stream = store().read(hash)) {
      int at = 0;
      for (int one = stream.read(); one >= 0; one = stream.read()) {
        slowly[at++] = (byte) one;
        at += stream.readNBytes(slowly, at, Math.min(1_000, content.length - at));
      }
      assertThat(at).isEqualTo(content.length);
      assertThat(stream.read(slowly, 0, 1)).isEqualTo(-1);
    }
    assertThat(slowly).isEqualTo(content);
  }

  @Test
  default void aBlobKnowsWhetherItWasPutBefore() {
    byte[] content = noise(2, 300_000).bytes();
    BlobHash hash = put(store(), content);
    StoreCounts asChunks = store().counts();

    assertThat(store().put(Payload.of(content))).isEqualTo(hash);
    assertThat(store().counts()).isEqualTo(asChunks);

    Store other = openWith(StoreLimits.DEFAULTS);
    assertThat(other.put(Payload.of(content))).isEqualTo(hash);
    assertThat(other.findChunkList(hash))
        .as("cut in the same places, at once or as a stream")
        .isEqualTo(store().findChunkList(hash));
    StoreCounts atOnce = other.counts();
    put(other, content);
    assertThat(other.counts()).isEqualTo(atOnce);
    assertThat(allOf(other.read(hash))).isEqualTo(content);
  }

  /// Results of a tool that reads a file again and again.
  @Test
  default void largePayloadsThatResembleEachOtherShareTheirChunks() {
    byte[] content = noise(5, 300_000).bytes();
    ContextId context = store().createContext().id();
    long blobs = 0;
    for (int i = 0; i < 10; i++) {
      content[150_000]++;
      Payload payload = Payload.of(content);
      Turn turn = store().append(context, NewTurn.of(payload, Samples.MESSAGE, Encoding.RAW));
      assertThat(store().get(turn.payloadHash())).isEqualTo(payload);
      if (i == 0) {
        blobs = store().counts().blobs();
      }
    }
    assertThat(store().counts().rawBytes())
        .as("ten payloads of 300,000 bytes")
        .isLessThan(1_100_000);
    assertThat(store().counts().blobs()).isGreaterThan(blobs);
  }

  @Test
  default void whatIsAppendedOrInsertedIsAlmostAllThatIsAdded() {
    byte[] content = noise(3, 2_000_000).bytes();
    put(store(), Arrays.copyOf(content, 1_500_000));
    long before = store().counts().rawBytes();

    put(store(), Arrays.copyOf(content, 1_505_000));
    long appended = store().counts().rawBytes() - before;
    byte[] inserted = new byte[1_500_100];
    System.arraycopy(content, 0, inserted, 0, 700_000);
    System.arraycopy(content, 700_000, inserted, 700_100, 800_000);
    put(store(), inserted);
    long edited = store().counts().rawBytes() - before - appended;

    assertThat(before).isBetween(1_500_000L, 1_520_000L);
    assertThat(appended).as("5,000 bytes, the last chunk and the lists").isLessThan(90_000);
    assertThat(edited).as("100 bytes, the chunks around them, and the lists").isLessThan(220_000);
    for (int sizeBytes : new int[] {1_500_000, 1_505_000}) {
      byte[] version = Arrays.copyOf(content, sizeBytes);
      BlobHash hash = ReferenceBlake3.hash(Payload.wrap(version));
      assertThat(allOf(store().read(hash))).isEqualTo(version);
    }
  }

  @Test
  default void aPartIsWhatStandsThere() {
    byte[] content = noise(4, 900_000).bytes();
    BlobHash large = put(store(), content);
    BlobHash small = store().put(Payload.of(Arrays.copyOf(content, 5_000)));
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 100; i++) {
      BlobHash hash = i % 4 == 0 ? small : large;
      int size = i % 4 == 0 ? 5_000 : content.length;
      int from = random.nextInt(size + 1);
      int length = random.nextInt(Math.min(size - from, 200_000) + 1);

      assertThat(allOf(store().read(hash, from, length)))
          .as("%d bytes from %d on", length, from)
          .isEqualTo(Arrays.copyOfRange(content, from, from + length));
    }
    for (BlobHash hash : List.of(small, large)) {
      long size = store().sizeBytes(hash);
      for (long[] range :
          new long[][] {{-1, 1}, {0, -1}, {0, size + 1}, {size, 1}, {1, Long.MAX_VALUE}}) {
        assertThatThrownBy(() -> store().read(hash, range[0], range[1]))
            .as("%d bytes from %d on", range[1], range[0])
            .isInstanceOf(StoreException.Invalid.class);
      }
    }
  }

  @Test
  default void whatWasNeverPutCannotBeReadAsAStreamEither() {
    put(store(), noise(5, 100_000).bytes());

    assertThatThrownBy(() -> store().read(ABSENT_BLOB)).isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> store().read(ABSENT_BLOB, 0, 0))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> store().sizeBytes(ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> store().findChunkList(ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void aBlobOverThePayloadLimitIsAStreamOnly() {
    Store small = openWith(new StoreLimits(70_000, 100, 10));
    byte[] content = noise(6, 500_000).bytes();
    BlobHash hash = put(small, content);

    assertThatThrownBy(() -> small.get(hash)).isInstanceOf(StoreException.TooLarge.class);
    assertThat(small.has(hash)).isTrue();
    assertThat(allOf(small.read(hash))).isEqualTo(content);
    assertThat(allOf(small.read(hash, 499_999, 1))).containsExactly(content[499_999]);
  }

  @Test
  default void contentOfAnotherHashThanExpectedIsRefused() throws IOException {
    for (int sizeBytes : new int[] {10, 200_000}) {
      byte[] content = noise(sizeBytes, sizeBytes).bytes();
      BlobHash hash = ReferenceBlake3.hash(Payload.wrap(content));

      assertThatThrownBy(() -> store().put(new ByteArrayInputStream(content), ABSENT_BLOB))
          .isInstanceOf(StoreException.Invalid.class);
      assertThat(store().has(hash)).isFalse();
      assertThat(store().has(ABSENT_BLOB)).isFalse();
      assertThat(store().put(new ByteArrayInputStream(content), hash)).isEqualTo(hash);
    }
  }

  @Test
  default void aStreamThatFailsLeavesNoBlob() {
    byte[] content = noise(8, 2_000_000).bytes();
    InputStream failing =
        new FilterInputStream(new ByteArrayInputStream(content)) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            if (in.available() < 500_000) {
              throw new IOException("the line is dead");
            }
            return super.read(bytes, offset, Math.min(length, 100_000));
          }
        };

    assertThatThrownBy(() -> store().put(failing, null))
        .isInstanceOf(IOException.class)
        .hasMessage("the line is dead");

    assertThat(store().has(ReferenceBlake3.hash(Payload.wrap(content)))).isFalse();
    assertThat(store().get(put(store(), content))).isEqualTo(Payload.wrap(content));
  }

  @Test
  default void aTurnMayCarryWhatIsKeptAsChunks() {
    Payload content = noise(9, 150_000);
    BlobHash hash = put(store(), content.bytes());
    ContextId context = store().createContext().id();

    TurnId turn = store().append(context, NewTurn.of(content, Samples.MESSAGE, Encoding.RAW)).id();

    assertThat(store().turn(turn, View.LATEST).payload()).isEqualTo(content);
    assertThat(store().turn(turn, View.LATEST).payloadSizeBytes()).isEqualTo(150_000);
    assertThat(store().findChunkList(hash)).isPresent();
  }

  @Test
  default void severalBlobsArePutAtOnce() {
    List<Payload> blobs =
        List.of(Payload.utf8("a"), noise(10, 3_000), Payload.utf8("a"), Payload.EMPTY);

    assertThat(store().putAll(blobs)).isEqualTo(blobs.stream().map(ReferenceBlake3::hash).toList());
    assertThat(store().counts().blobs()).isEqualTo(3);
    assertThat(store().putAll(List.of())).isEmpty();
    for (Payload blob : blobs) {
      assertThat(store().get(ReferenceBlake3.hash(blob))).isEqualTo(blob);
    }
  }
}
