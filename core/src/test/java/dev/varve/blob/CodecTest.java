// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CodecTest {

  private static byte[] text(int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    for (int i = 0; i < sizeBytes; i++) {
      bytes[i] = (byte) "so we beat on, ".charAt(i % 15);
    }
    return bytes;
  }

  private static byte[] noise(int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatIsCompressedIsDecodedAgain() {
    for (int size : new int[] {32, 100, 4095, 4096, 10_000, 16_384, 16_385, 1 << 20}) {
      for (int level : new int[] {1, 3, 19}) {
        byte[] raw = text(size);
        byte[] stored = Codec.compress(raw, level).orElseThrow();
        assertThat(stored.length).isLessThan(size);
        assertThat(Codec.ZSTD.decode(stored, size)).hasValue(raw);
      }
    }
  }

  /// What makes turns of the usual size cheaper to compress costs little room: the sources of this
  /// library, cut into such pieces, become at most 4 percent larger than zstd alone makes them.
  @Test
  void turnsOfTheUsualSizeAreCompressedNearlyAsWellAsByZstdItself() throws IOException {
    long own = 0;
    long usual = 0;
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(source);
        byte[] raw = Arrays.copyOf(bytes, Math.min(bytes.length, 16_384));
        if (raw.length >= 4096) {
          byte[] stored = Codec.compress(raw, 1).orElseThrow();
          assertThat(Codec.ZSTD.decode(stored, raw.length)).hasValue(raw);
          own += stored.length;
          usual += Zstd.compress(raw, 1).length;
        }
      }
    }
    assertThat(usual).isGreaterThan(50_000);
    assertThat(own).isLessThan(usual * 104 / 100);
  }

  @Test
  void whatWouldNotBecomeSmallerIsLeft() {
    assertThat(Codec.compress(noise(10_000), 3)).isEmpty();
    assertThat(Codec.compress(noise(40), 3)).isEmpty();
    assertThat(Codec.compress(new byte[0], 3)).isEmpty();
    assertThat(Codec.compress(text(31), 3)).as("too short to try").isEmpty();
  }

  @Test
  void anotherLengthThanTheRecordSaysIsRefused() {
    byte[] raw = text(1000);
    byte[] stored = Codec.compress(raw, 1).orElseThrow();

    assertThat(Codec.ZSTD.decode(stored, 999)).isEmpty();
    assertThat(Codec.ZSTD.decode(stored, 1001)).isEmpty();
    assertThat(Codec.ZSTD.decode(stored, 0)).isEmpty();
    assertThat(Codec.NONE.decode(raw, 1000)).hasValue(raw);
    assertThat(Codec.NONE.decode(raw, 999)).isEmpty();
    assertThat(Codec.NONE.decode(raw, 1001)).isEmpty();
  }

  @Test
  void aFrameThatWouldExpandBeyondItIsRefusedWithoutTakingTheMemory() {
    byte[] bomb = Zstd.compress(new byte[64 << 20], 1);
    assertThat(bomb.length).as("a bomb").isLessThan(10_000);
    assertThat(Codec.ZSTD.decode(bomb, 100)).isEmpty(); // once, so that all classes are loaded

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(Codec.ZSTD.decode(bomb, 100).isEmpty()).isTrue();
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated).as("bytes allocated").isLessThan(1 << 16);
  }

  @Test
  void aFrameThatDoesNotSayItsSizeIsDecodedIfItHasTheRightOne() throws IOException {
    byte[] raw = text(5000);
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    try (ZstdOutputStream stream = new ZstdOutputStream(stored)) {
      stream.write(raw, 0, 2500);
      stream.flush();
      stream.write(raw, 2500, 2500);
    }
    byte[] frame = stored.toByteArray();
    assertThat(Zstd.getFrameContentSize(frame)).as("says nothing").isLessThanOrEqualTo(0);

    assertThat(Codec.ZSTD.decode(frame, 5000)).hasValue(raw);
    assertThat(Codec.ZSTD.decode(frame, 4999)).isEmpty();
    assertThat(Codec.ZSTD.decode(frame, 5001)).isEmpty();
  }

  @Test
  void garbageAndCutFramesAreRefusedAndTheNextIsDecoded() {
    byte[] raw = text(3000);
    byte[] stored = Codec.compress(raw, 1).orElseThrow();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 500; i++) {
      byte[] bad = Arrays.copyOf(stored, random.nextInt(stored.length));
      if (i % 2 == 0) {
        bad = new byte[random.nextInt(200)];
        random.nextBytes(bad);
      }
      assertThat(Codec.ZSTD.decode(bad, 3000)).isEmpty();
      assertThat(Codec.ZSTD.decode(stored, 3000)).hasValue(raw);
    }
  }

  @Test
  void numbersThatThisVersionDoesNotKnowAreNoCodec() {
    assertThat(Codec.of(0)).hasValue(Codec.NONE);
    assertThat(Codec.of(1)).hasValue(Codec.ZSTD);
    assertThat(Codec.of(2)).hasValue(Codec.CHUNKS);
    assertThat(Codec.of(3)).isEmpty();
    assertThat(Codec.of(0xffff)).isEmpty();
    for (Codec codec : Codec.values()) {
      assertThat(Codec.of(codec.number())).hasValue(codec);
    }
  }
}
