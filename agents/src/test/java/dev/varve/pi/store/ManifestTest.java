// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.sim.StoreModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ManifestTest {

  private static final BlobHash HASH = Blake3.hash(new byte[0]);
  private final Store store = new StoreModel();

  /// The example of docs/format/pi-manifest.md.
  private static final String EXAMPLE =
      "5649504d 0100 0000 1a04000000000000"
          + "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
          + "00000000"
          + "03 04 7b7d0a0a"
          + "01 ac02 02"
          + "04 e807 af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
          + "02 05";

  @Test
  void theBytesAreThoseOfTheDocumentation() {
    Stream<FileSegment> segments =
        Stream.of(
            new FileSegment.Inline(Payload.utf8("{}\n\n")),
            new FileSegment.Lines(300, 2),
            new FileSegment.Kept(HASH, 1000),
            new FileSegment.Unended(5));

    Payload payload = SessionManifest.of(1050, HASH, segments, store).payload();

    assertThat(HexFormat.of().formatHex(payload.bytes())).isEqualTo(EXAMPLE.replace(" ", ""));
  }

  @Test
  void aLongManifestIsInPartsAndReadsTheSame() {
    SplittableRandom random = new SplittableRandom(3);
    List<FileSegment> segments = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      segments.add(
          switch (random.nextInt(4)) {
            case 0 -> new FileSegment.Lines(random.nextLong(1, 1L << 40), random.nextInt(1, 1000));
            case 1 -> new FileSegment.Unended(random.nextLong(1, Long.MAX_VALUE));
            case 2 -> new FileSegment.Inline(Payload.wrap(new byte[random.nextInt(1, 20)]));
            default ->
                new FileSegment.Kept(HASH, random.nextInt(1, SessionManifest.KEPT_BYTES_MAX + 1));
          });
    }

    SessionManifest written = SessionManifest.of(1L << 40, HASH, segments.stream(), store);
    List<FileSegment> read = new ArrayList<>();
    SessionManifest.read(written.payload(), "test").segments(store, read::add);

    assertThat(written.parts()).hasSizeGreaterThan(10);
    assertThat(read).isEqualTo(segments);
  }

  @Test
  void theNextVersionOfALongManifestSharesItsParts() {
    List<FileSegment> segments = new ArrayList<>();
    for (int i = 1; i < 20_000; i++) {
      segments.add(new FileSegment.Lines(2L * i, 1));
    }
    SessionManifest before = SessionManifest.of(1 << 20, HASH, segments.stream(), store);
    segments.add(new FileSegment.Lines(100_000, 5));

    SessionManifest after = SessionManifest.of(2 << 20, HASH, segments.stream(), store);

    assertThat(after.parts()).hasSizeGreaterThan(2).isEqualTo(before.parts());
  }

  @Test
  void everyByteThatIsWrongIsRefusedOrMeansSomethingElse() {
    byte[] right = HexFormat.of().parseHex(EXAMPLE.replace(" ", ""));
    for (int at = 0; at < right.length; at++) {
      for (int size = 0; size < at; size++) {
        refusedOrDifferent(Arrays.copyOf(right, size), right);
      }
      for (int bit = 0; bit < 8; bit++) {
        byte[] wrong = right.clone();
        wrong[at] ^= (byte) (1 << bit);
        refusedOrDifferent(wrong, right);
      }
    }
  }

  private void refusedOrDifferent(byte[] wrong, byte[] right) {
    try {
      SessionManifest manifest = SessionManifest.read(Payload.of(wrong), "test");
      List<FileSegment> segments = new ArrayList<>();
      manifest.segments(store, segments::add);
      // What was read is exactly what was written, in the only way to write it.
      assertThat(
              SessionManifest.of(manifest.sizeBytes(), manifest.hash(), segments.stream(), store)
                  .payload()
                  .bytes())
          .isEqualTo(wrong)
          .isNotEqualTo(right);
    } catch (StoreException.Corrupt | StoreException.FormatTooNew | StoreException.NotFound e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @Test
  void aLaterVersionIsSaidToBeOne() {
    byte[] later = HexFormat.of().parseHex(EXAMPLE.replace(" ", ""));
    later[4] = 2;

    assertThatThrownBy(() -> SessionManifest.read(Payload.of(later), "test"))
        .isInstanceOf(StoreException.FormatTooNew.class);
  }

  @Test
  void aNumberHasOneWayToBeWritten() {
    byte[] longer =
        HexFormat.of()
            .parseHex((EXAMPLE.substring(0, EXAMPLE.length() - 2) + "8500").replace(" ", ""));

    assertThatThrownBy(
            () -> SessionManifest.read(Payload.of(longer), "test").segments(store, _ -> {}))
        .isInstanceOf(StoreException.Corrupt.class);
  }
}
