// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.RandomValue;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProjectionTest {

  private static final DeclaredType MESSAGE = new DeclaredType("chat.Message", 1);
  private static final TypeCatalogue CATALOGUE = Bundles.catalogue(Bundles.CHAT);

  /// `-Dfuzz.runs=N` for more.
  private static final int RUNS = Integer.getInteger("fuzz.runs", 2_000);

  private static Projection project(String hex, DeclaredType type, Map<String, String> parameters) {
    return Projection.of(
        Payload.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))),
        Encoding.MSGPACK,
        type,
        Projection.Hint.read(parameters),
        CATALOGUE,
        RenderOptions.read(parameters));
  }

  private static String data(String hex, Map<String, String> parameters) {
    return switch (project(hex, MESSAGE, parameters)) {
      case Projection.Typed typed -> typed.data().text().replace('"', '\'');
      case Projection.Failed failed -> "failed: " + failed.message();
    };
  }

  private static String data(String hex) {
    return data(hex, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // keys: numbers, digits, names; the last of two counts, a tag before a name
        "82 01 02 02 a2 6869                | {'role':'user','text':'hi'}",
        "82 a131 02 a132 a2 6869            | {'role':'user','text':'hi'}",
        "81 a4 74657874 a2 6869             | {'text':'hi'}",
        "82 02 a161 02 a162                 | {'text':'b'}",
        "82 02 a161 a132 a162               | {'text':'b'}",
        "82 02 a161 a4 74657874 a162        | {'text':'a'}",
        "82 a4 74657874 a162 02 a161        | {'text':'a'}",
        "81 ff 01                           | {}",
        "80                                 | {}",
        // enums
        "81 01 01                           | {'role':'system'}",
        "81 01 09                           | {'role':9}",
        "81 01 ff                           | {'role':-1}",
        "81 01 a178                         | {'role':null}",
        // text
        "81 02 c0                           | {'text':null}",
        "81 02 07                           | {'text':null}",
        "81 02 a2 c328                      | {'text':''}",
        // times
        "81 03 00                           | {'at':'1970-01-01T00:00:00+00:00'}",
        "81 03 d3 0000018bcfe56800          | {'at':'2023-11-14T22:13:20+00:00'}",
        "81 03 cd 07 d1                     | {'at':'1970-01-01T00:00:02.001+00:00'}",
        "81 03 ff                           | {'at':'1969-12-31T23:59:59.999+00:00'}",
        "81 03 cf 7fffffffffffffff          | {'at':null}",
        "81 03 cf ffffffffffffffff          | {'at':null}",
        "81 03 a178                         | {'at':null}",
        // arrays
        "81 04 93 a161 01 c0                | {'files':['a',null,null]}",
        "81 04 c0                           | {'files':null}",
        "81 05 92 81 01 a1 78 07            | {'calls':[{'name':'x'},'7']}",
        // refs: the latest version; of itself
        "81 06 82 02 a161 06 81 02 a162     | {'reply':{'text':'a','reply':{'text':'b'}}}",
        "81 06 a178                         | {'reply':'x'}",
        // bytes
        "81 07 c4 03 010203                 | {'blob':'AQID'}",
        "81 07 a3 616263                    | {'blob':null}",
        // numbers
        "81 08 cf ffffffffffffffff          | {'size':'18446744073709551615'}",
        "81 08 05                           | {'size':'5'}",
        "81 08 ff                           | {'size':null}",
        "81 08 ca 3f800000                  | {'size':null}",
        "81 09 ff                           | {'change':'-1'}",
        "81 09 cf ffffffffffffffff          | {'change':null}",
        "81 0a ff                           | {'small':-1}",
        "81 0a cf ffffffffffffffff          | {'small':null}",
        "81 0b c3                           | {'done':true}",
        "81 0b 01                           | {'done':null}",
        // anything else: as it comes
        "81 0c 05                           | {'any':'5'}",
        "81 0c ff                           | {'any':-1}",
        "81 0c cb 3ff8000000000000          | {'any':1.5}",
        "81 0c cb 7ff8000000000000          | {'any':0.0}",
        "81 0c d5 07 00ff                   | {'any':null}",
        "81 0c 92 c4 01 ff a161             | {'any':['/w==','a']}",
        "81 0c 84 01 a161 a131 a162 c3 02 ff 03 | {'any':{'1':'b','':'3'}}",
        // bytes behind the map are not looked at
        "81 0b c3 c1                        | {'done':true}",
        // no map, no msgpack
        "91 01                              | failed: payload is not a map",
        "81 01                              | failed: msgpack decode error at byte 1: announces 2"
            + " values in the last 1 bytes",
      })
  void payloadsAreShownByTheirFields(String hex, String json) {
    assertThat(data(hex)).isEqualTo(json);
  }

  @Test
  void optionsChangeHowValuesAreShown() {
    String hex = "85 01 02 03 cd07d1 07 c403010203 08 cfffffffffffffffff 0c 05";
    assertThat(
            data(
                hex,
                Map.of(
                    "bytes_render", "hex",
                    "u64_format", "number",
                    "enum_render", "both",
                    "time_render", "unix_ms")))
        .isEqualTo(
            "{'role':{'label':'user','value':2},'at':2001,'blob':'010203',"
                + "'size':18446744073709551615,'any':5}");
    assertThat(data(hex, Map.of("bytes_render", "len_only", "enum_render", "number")))
        .isEqualTo(
            "{'role':2,'at':'1970-01-01T00:00:02.001+00:00','blob':3,"
                + "'size':'18446744073709551615','any':'5'}");
  }

  @Test
  void textIsCutBetweenCharacters() {
    assertThat(data("81 02 a7 61e282ac62f0 9f", Map.of("string_limit", "9"))).contains("text':''");
    for (int limit = 0; limit <= 9; limit++) {
      String cut = data("81 02 a9 61 e282ac 62 f09f9880", Map.of("string_limit", "" + limit));
      String expected =
          limit < 1 ? "" : limit < 4 ? "a" : limit < 5 ? "a€" : limit < 9 ? "a€b" : "a€b😀";
      assertThat(cut).as("limit %d", limit).isEqualTo("{'text':'" + expected + "'}");
    }
  }

  @Test
  void unknownTagsAreShownOnRequestAtEveryLevel() {
    String hex = "84 02 a161 63 05 a178 a179 06 82 02 a162 62 c3";
    Projection plain = project(hex, MESSAGE, Map.of());
    assertThat(((Projection.Typed) plain).unknown()).isNull();
    for (String yes : new String[] {"1", "true"}) {
      Projection.Typed typed =
          (Projection.Typed) project(hex, MESSAGE, Map.of("include_unknown", yes));
      assertThat(typed.unknown().text()).isEqualTo("{\"99\":\"5\",\"x\":\"y\"}");
      assertThat(typed.data().text())
          .isEqualTo("{\"text\":\"a\",\"reply\":{\"text\":\"b\",\"_unknown\":{\"98\":true}}}");
    }
    assertThat(
            ((Projection.Typed) project("80", MESSAGE, Map.of("include_unknown", "1")))
                .unknown()
                .text())
        .isEqualTo("{}");
  }

  @Test
  void aHintChoosesTheDescriptor() {
    String hex = "82 01 a161 02 a162";
    DeclaredType call = new DeclaredType("chat.Call", 1);
    assertThat(((Projection.Typed) project(hex, call, Map.of())).data().text())
        .isEqualTo("{\"name\":\"a\"}");
    Projection.Typed latest =
        (Projection.Typed) project(hex, call, Map.of("type_hint_mode", "latest"));
    assertThat(latest.decodedAs()).isEqualTo(new DeclaredType("chat.Call", 2));
    assertThat(latest.data().text()).isEqualTo("{\"name\":\"a\",\"args\":\"b\"}");
    Projection.Typed explicit =
        (Projection.Typed)
            project(
                hex,
                new DeclaredType("nobody.Knows", 1),
                Map.of(
                    "type_hint_mode", "explicit",
                    "as_type_id", "chat.Call",
                    "as_type_version", "2"));
    assertThat(explicit.decodedAs()).isEqualTo(new DeclaredType("chat.Call", 2));
  }

  @Test
  void anUnregisteredTypeIsShownAsPlainJson() {
    DeclaredType unknown = new DeclaredType("no.Such", 4);
    Projection.Typed plain =
        (Projection.Typed) project("8201a178a162cb3ff8000000000000", unknown, Map.of());

    assertThat(plain.decodedAs()).isEqualTo(unknown);
    assertThat(plain.data().text()).isEqualTo("{\"1\":\"x\",\"b\":1.5}");
    assertThat(project("80", unknown, Map.of("type_hint_mode", "latest")))
        .isInstanceOf(Projection.Typed.class);
    assertThat(project("8080", unknown, Map.of()))
        .isEqualTo(
            new Projection.Failed("msgpack decode error at byte 1: 1 bytes follow the value"));
    assertThat(
            project(
                "80",
                unknown,
                Map.of(
                    "type_hint_mode", "explicit", "as_type_id", "no.Such", "as_type_version", "4")))
        .isEqualTo(new Projection.Failed("type descriptor not found: no.Such@4"));
  }

  @Test
  void jsonIsShownWithOrWithoutADescriptor() {
    Payload json = Payload.utf8("{\"text\":\"hi\",\"role\":2,\"size\":5,\"more\":[1,2.5,null]}");
    assertThat(
            Projection.of(
                json,
                Encoding.JSON,
                new DeclaredType("no.Such", 1),
                Projection.Hint.Inherit.INHERIT,
                CATALOGUE,
                RenderOptions.DEFAULTS))
        .isInstanceOfSatisfying(
            Projection.Typed.class,
            typed -> assertThat(typed.data().text()).isEqualTo(json.text()));
    assertThat(
            Projection.of(
                json,
                Encoding.JSON,
                MESSAGE,
                Projection.Hint.Inherit.INHERIT,
                CATALOGUE,
                RenderOptions.DEFAULTS))
        .isInstanceOfSatisfying(
            Projection.Typed.class,
            typed ->
                assertThat(typed.data().text())
                    .isEqualTo("{\"role\":\"user\",\"text\":\"hi\",\"size\":\"5\"}"));
  }

  @Test
  void anEncodingThatNobodyReadsHereIsSaid() {
    assertThat(
            Projection.of(
                Payload.EMPTY,
                Encoding.CBOR,
                MESSAGE,
                Projection.Hint.Inherit.INHERIT,
                CATALOGUE,
                RenderOptions.DEFAULTS))
        .isEqualTo(new Projection.Failed("a payload in the encoding cbor has no typed view"));
  }

  @Test
  void anyPayloadIsShownOrRefusedAndWhatIsShownIsJson() {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = MsgpackWriter.write(RandomValue.of(random, 6)).bytes();
      if (random.nextBoolean() && bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      if (random.nextBoolean()) {
        bytes[0] = (byte) 0x83;
      }
      Projection projection =
          Projection.of(
              Payload.wrap(bytes),
              Encoding.MSGPACK,
              MESSAGE,
              Projection.Hint.Inherit.INHERIT,
              CATALOGUE,
              RenderOptions.read(Map.of("include_unknown", "1")));
      if (projection instanceof Projection.Typed typed) {
        assertThat(
                dev.varve.server.value.JsonReader.read(
                    Payload.wrap(typed.data().bytes()),
                    dev.varve.server.value.ValueBounds.DEFAULTS))
            .as("seed %d", seed)
            .isNotNull();
      }
    }
  }
}
