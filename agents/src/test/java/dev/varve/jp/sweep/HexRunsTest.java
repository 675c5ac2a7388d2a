// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.blobs.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hashes in a text that is no JSON: one that is overlooked is a blob that a sweep throws away.
final class HexRunsTest {

  private static final String HASH = "09afAF".repeat(10) + "0123";

  private static List<Sha256> found(String text) {
    List<Sha256> found = new ArrayList<>();
    byte[] bytes = text.getBytes(ISO_8859_1);
    HexRuns.in(bytes, 0, bytes.length, found::add);
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HASH",
        "\"HASH\"",
        "/HASH:",
        "@HASHG",
        "`HASHg",
        "zHASH",
        "\\nHASH",
        "\\fHASH",
        "HASH\\u",
        "\\u00zzHASH",
        "\\u002fHASH",
        "HASH\\",
        "HASH\\u0022"
      })
  void aRunOfTheRightLengthIsFoundWhateverStandsBesideIt(String text) {
    assertThat(found(text.replace("HASH", HASH)))
        .containsExactly(Sha256.parse(HASH.toLowerCase(Locale.ROOT)));
  }

  @Test
  void digitsThatAreEscapedCount() {
    assertThat(found("\\u0030" + HASH.substring(1))).hasSize(1);
    assertThat(found(HASH.substring(0, 2) + "\\u0061" + HASH.substring(3))).hasSize(1);
  }

  @Test
  void shorterAndLongerRunsAreNone() {
    assertThat(found(HASH.substring(1))).isEmpty();
    assertThat(found(HASH + "0")).isEmpty();
    assertThat(found(HASH + HASH)).isEmpty();
    assertThat(found(HASH.substring(0, 30) + "\\n" + HASH.substring(30))).isEmpty();
  }

  @Test
  void aRunGoesOnFromOneBufferToTheNext() {
    byte[] bytes = ("\\u0030" + HASH.substring(1)).getBytes(ISO_8859_1);
    for (int cut = 0; cut <= bytes.length; cut++) {
      List<Sha256> found = new ArrayList<>();
      HexRuns runs = new HexRuns(found::add);
      runs.take(bytes, 0, cut);
      runs.take(bytes, cut, bytes.length);
      runs.end();
      assertThat(found).as("cut at byte %d", cut).hasSize(1);
    }
  }
}
