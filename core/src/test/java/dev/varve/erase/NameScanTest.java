// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NameScanTest {

  private final SplittableRandom random = new SplittableRandom(1);

  private BlobHash name() {
    return new BlobHash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }

  private static Set<BlobHash> found(byte[] content, Set<BlobHash> wanted) {
    NameSet names = new NameSet();
    wanted.forEach(names::add);
    Set<BlobHash> found = new LinkedHashSet<>();
    NameScan.scan(content, names, found::add);
    found.retainAll(wanted);
    return found;
  }

  @Test
  void eachNameIsFoundInEachSpellingAtAnyPlace() {
    Set<BlobHash> wanted = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      wanted.add(name());
    }
    wanted.add(new BlobHash(0, 1, 2, 3));
    for (BlobHash name : wanted) {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      byte[] noise = new byte[random.nextInt(40)];
      random.nextBytes(noise);
      content.writeBytes(noise);
      switch (random.nextInt(4)) {
        case 0 -> content.writeBytes(name.bytes());
        case 1 -> content.writeBytes(name.toString().getBytes());
        case 2 -> content.writeBytes(name.toString().toUpperCase(Locale.ROOT).getBytes());
        default -> content.writeBytes(("abc" + name + "def").getBytes());
      }
      content.writeBytes(noise);
      assertThat(found(content.toByteArray(), wanted)).contains(name);
    }
  }

  @Test
  void whatIsCutIsNoName() {
    BlobHash name = name();
    String hex = name.toString();
    Set<BlobHash> wanted = Set.of(name);

    for (String text : List.of(hex.substring(1), hex.substring(0, 63), hex.replace('0', 'g'), "")) {
      if (!text.equals(hex)) {
        assertThat(found(text.getBytes(), wanted)).isEmpty();
      }
    }
    assertThat(found(hex.getBytes(), wanted)).containsExactly(name);
  }

  /// Content of few kinds of bytes, so that runs of digits of all lengths stand at all places.
  @Test
  void exactlyTheNamesAreFoundThatALookAtEachPlaceFinds() {
    String alphabet = "0123456789abcdefABCDEF-";
    for (int round = 0; round < 300; round++) {
      byte[] content = new byte[random.nextInt(400)];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) alphabet.charAt(random.nextInt(round % 2 == 0 ? 23 : 22));
      }
      Set<BlobHash> there = new HashSet<>();
      for (int at = 0; at + 32 <= content.length; at++) {
        there.add(BlobHash.of(Arrays.copyOfRange(content, at, at + 32)));
        String text = new String(content, at, Math.min(64, content.length - at), US_ASCII);
        if (text.length() == 64 && !text.contains("-")) {
          there.add(BlobHash.parse(text.toLowerCase(Locale.ROOT)));
        }
      }
      assertThat(found(content, there)).isEqualTo(there);
    }
  }
}
