// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlatTextTest {

  private static final String NOW = "2026-06-01 10:00:00.0";
  private static final String THEN = "2025-12-30 16:29:11.675779";

  private static String read(String stored, String timestamp) {
    byte[] spelled = stored.getBytes(UTF_8);
    FlatText.Found found =
        FlatText.find(() -> new ByteArrayInputStream(spelled), spelled.length, timestamp);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    assertThat(
            FlatText.decode(
                new ByteArrayInputStream(spelled),
                found.spelling(),
                (bytes, count) -> content.write(bytes, 0, count)))
        .hasValue(found.sizeBytes());
    return content.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "bGF5ZXI=, layer",
    "bGF5ZXJz, layers",
    "w7xi, üb",
    "bGF5ZXI, bGF5ZXI", // padding is required
    "bGF5ZXJ=, bGF5ZXJ=", // bits that are not zero
    "bGF5 ZXI=, bGF5 ZXI=",
    "made, made", // base64, but not of UTF-8
    "Done, Done",
    "plain words, plain words",
    "bGF5-ZXI, bGF5-ZXI",
    "'', ''", // an empty answer
    "bGk=, li",
    "bGk, bGk",
    "bGl=, bGl=",
    "MTIz, 123", // somebody's four letters, and base64 all the same: JP takes it for that
    "ICAg, '   '",
    "w6kh, é!",
    "2024, 2024", // base64 of what is no UTF-8
    "true, true",
    "////, ////",
    "zz==, zz==" // bits that are not zero, in the first letter of a last pair
  })
  void aStringIsDecodedWhenJpWouldDecodeIt(String stored, String content) {
    assertThat(read(stored, NOW)).isEqualTo(content);
  }

  @Test
  void theUrlSafeAlphabetIsReadInEventsOfItsTimeOnly() {
    String stored = "Pz8_Pz8-"; // "?????>"

    assertThat(read(stored, THEN)).isEqualTo("?????>");
    assertThat(read(stored, NOW)).isEqualTo(stored);
    assertThat(read(stored, "")).isEqualTo(stored);
  }

  @Test
  void aLongStringIsDecodedPieceByPieceAsOne() {
    String text = "é and more ".repeat(20_000);
    String stored = JpFolders.base64(text);

    assertThat(read(stored, NOW)).isEqualTo(text);
    assertThat(read(stored + "=", NOW)).isEqualTo(stored + "=");
    assertThat(read("TQ==".repeat(30_000), NOW)).as("padded in the middle").startsWith("TQ==TQ==");
    String binary = Base64.getEncoder().encodeToString(new byte[] {(byte) 0xc3});
    assertThat(read("AAAA".repeat(30_000) + binary, NOW)).startsWith("AAAA");
  }

  @Test
  void eachSpellingIsReadBack() {
    byte[] content = "?????>é".getBytes(UTF_8);
    for (FlatText.Spelling spelling : FlatText.Spelling.values()) {
      String stored = new String(FlatText.spell(content, spelling), UTF_8);

      assertThat(read(stored, THEN).getBytes(UTF_8)).as("%s", spelling).isEqualTo(content);
    }
  }
}
