// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFormsTest {

  private static TextSearch search(String secret) {
    return new TextSearch(SecretForms.of(bytes(secret)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AKIAIOSFODNN7EXAMPLE",
        "p\"ss\\w/rd<&>",
        "schlüssel-für-€-alles",
        "two\nlines of it"
      })
  void aSecretIsFoundInEachForm(String secret) {
    TextSearch search = search(secret);
    String json = "{\"key\":\"" + quoted(secret) + "\"}";
    String nested = "{\"line\":\"" + quoted(json) + "\"}";

    assertThat(search.isIn(bytes("before " + secret + " behind"))).isTrue();
    assertThat(search.isIn(bytes(json))).isTrue();
    assertThat(search.isIn(bytes(nested))).isTrue();
    assertThat(search.isIn(bytes(json.replace("/", "\\/")))).isTrue();
    assertThat(search.isIn(bytes("nothing of the kind"))).isFalse();
    assertThat(search.isIn(bytes(secret.substring(1)))).isFalse();
  }

  @Test
  void whatIsEscapedByNumberIsFound() {
    assertThat(search("schlüssel-eins").isIn(bytes("schl\\u00fcssel-eins"))).isTrue();
    assertThat(search("schlüssel-eins").isIn(bytes("schl\\u00FCssel-eins"))).isTrue();
    assertThat(search("schlüssel-eins").isIn(bytes("schl\\\\u00fcssel-eins"))).isTrue();
    assertThat(search("a<b>c&defg").isIn(bytes("a\\u003cb\\u003ec\\u0026defg"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aSecretIsFoundInBase64WhereverItStands(int before) {
    String secret = "s3cr?t>~ü";
    TextSearch search = search(secret);
    for (int behind = 0; behind < 4; behind++) {
      String line = "x".repeat(before) + secret + "y".repeat(behind);
      String json = "x".repeat(before) + quoted(secret) + "y".repeat(behind);
      for (Base64.Encoder encoder :
          new Base64.Encoder[] {
            Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getEncoder().withoutPadding()
          }) {
        assertThat(search.isIn(encoder.encode(bytes(line)))).isTrue();
        assertThat(search.isIn(encoder.encode(bytes(json)))).isTrue();
      }
    }
  }

  @Test
  void bytesThatAreNoTextAreFoundAsTheyAre() {
    byte[] secret = {(byte) 0xff, 1, 2, 3, 4, 5, 6, (byte) 0xfe};
    TextSearch search = new TextSearch(SecretForms.of(secret));

    assertThat(search.isIn(new byte[] {0, (byte) 0xff, 1, 2, 3, 4, 5, 6, (byte) 0xfe, 0})).isTrue();
    assertThat(search.isIn(Base64.getEncoder().encode(secret))).isTrue();
  }
}
