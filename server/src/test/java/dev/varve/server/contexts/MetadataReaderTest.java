// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Encoding;
import dev.varve.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataReaderTest {

  private static ContextMetadata read(String hex) {
    return MetadataReader.read(Turns.hex(hex), Encoding.MSGPACK);
  }

  @Test
  void keysMayBeDigits() {
    assertThat(read(Turns.DIGITS))
        .isEqualTo(
            new ContextMetadata("fixture-tag", "Fixture Title", List.of("alpha", "beta"), null));
  }

  @Test
  void keysMayBeNumbersAtEachLevel() {
    ContextMetadata metadata =
        read(
            "81 1e 84 01 a1 74 02 a1 75 03 91 a16c"
                + "0a 84 01 07 14 a3 6a6179 3c 82 a141 a142 01 a178 a2 3435 a1 68");
    assertThat(metadata.clientTag()).isEqualTo("t");
    assertThat(metadata.parent()).isEqualTo(7);
    assertThat(metadata.provenance().text(Provenance.Key.ON_BEHALF_OF)).isEqualTo("jay");
    assertThat(metadata.provenance().text(Provenance.Key.HOST_NAME)).isEqualTo("h");
    assertThat(metadata.provenance().text().replace('"', '\''))
        .startsWith("{'parent_context_id':7,'spawn_reason':null,'root_context_id':null,")
        .contains("'env':{'A':'B'}")
        .endsWith("'sdk_version':null,'captured_at':null}");
  }

  @Test
  void keysMayBeNames() {
    ContextMetadata metadata =
        MetadataReader.read(
            Payload.utf8(
                "{'context_metadata':{'client_tag':'t','provenance':{'root_context_id':3}}}"
                    .replace('\'', '"')),
            Encoding.JSON);
    assertThat(metadata.clientTag()).isEqualTo("t");
    assertThat(metadata.root()).isEqualTo(3);
  }

  @Test
  void emptyTextAndNumberZeroSayNothing() {
    assertThat(read("81 1e 84 01 a0 02 a0 03 92 a0 c0 0a c0")).isEqualTo(ContextMetadata.NONE);
    assertThat(read("81 1e 81 0a 82 01 00 14 a0").parent()).isNull();
    assertThat(read("81 1e 81 0a 80").provenance()).as("an empty one was meant").isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "c1",
        "80",
        "91c0",
        "811ec0",
        "811e07",
        "811ea178",
        "811e80",
        "811e81",
        "811e81c0c0",
        "811e810105",
        "811e82010302c3",
        "811e8103a178",
        "811e810aa178",
        "811e8101a2c328"
      })
  void whatSaysNothingOrIsBrokenIsNothing(String hex) {
    assertThat(read(hex)).isEqualTo(ContextMetadata.NONE);
  }

  @Test
  void textsAndListsAreBounded() {
    String many = "81 1e 82 02 da 2000" + "61".repeat(8192) + "03 dc 0200" + "a16c".repeat(512);
    assertThat(read(many).title()).hasSize(MetadataReader.TEXT_MAX);
    assertThat(read(many).labels()).hasSize(MetadataReader.ITEMS_MAX);
  }
}
