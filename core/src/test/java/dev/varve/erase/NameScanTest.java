// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import java.io.ByteArrayOutputStream;
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
}
