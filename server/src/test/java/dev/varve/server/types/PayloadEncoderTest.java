// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.ValueBounds;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadEncoderTest {

  private static final TypeCatalogue CATALOGUE = Bundles.catalogue(Bundles.CHAT);

  private static Payload encode(String json, String type) {
    return new PayloadEncoder(CATALOGUE)
        .encode(
            "data",
            JsonReader.read(Payload.utf8(json.replace('\'', '"')), ValueBounds.DEFAULTS),
            type,
            1);
  }

  private static String hex(String json, String type) {
    return HexFormat.of().formatHex(encode(json, type).bytes());
  }

  @Test
  void fieldsBecomeTagsInTheirOrder() {
    assertThat(hex("{'text':'hi','role':'user'}", "chat.Message")).isEqualTo("82010202a26869");
    assertThat(hex("{'2':'hi','1':2}", "chat.Message")).isEqualTo("82010202a26869");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'at':'1970-01-01T00:00:02.001Z'          | 03cd07d1",
        "'at':2001                                | 03cd07d1",
        "'files':['a']                            | 0491a161",
        "'calls':[{'name':'x'}]                   | 05918101a178",
        "'reply':{'role':1,'text':''}             | 0682010102a0",
        "'blob':'AQID'                            | 07c403010203",
        "'blob':'abc'                             | 07c403616263",
        "'blob':[1,2,3]                           | 07c403010203",
        "'blob':{'hex':'010203'}                  | 07c403010203",
        "'blob':{'base64':'AQID'}                 | 07c403010203",
        "'size':'18446744073709551615'            | 08cfffffffffffffffff",
        "'size':18446744073709551615              | 08cfffffffffffffffff",
        "'change':-5                              | 09fb",
        "'small':'7'                              | 0a07",
        "'done':null                              | 0bc0",
        "'any':{'9':1,'b':{'1':2}}                | 0c820901a162810102",
        "'99':'later'                             | 63a56c61746572",
        "'name':'kept'                            | a46e616d65a46b657074",
      })
  void eachKindOfFieldHasItsBytes(String member, String bytes) {
    assertThat(hex("{'role':1,'text':''," + member + "}", "chat.Message"))
        .isEqualTo("83010102a0" + bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'text':''}                        | chat.Message.role: missing, and not optional",
        "{'role':'boss','text':''}          | chat.Message.role: enum chat.Role has no label"
            + " 'boss'",
        "{'role':256,'text':''}             | chat.Message.role: expected 0 to 255, found 256",
        "{'role':1,'text':5}                | chat.Message.text: expected text, found 5",
        "{'role':1,'text':'','files':[5]}   | chat.Message.files[0]: expected text, found 5",
        "{'role':1,'text':'','size':-1}     | expected a whole number from 0 on, found -1",
        "{'role':1,'text':'','size':1.5}    | found 1.5",
        "{'role':1,'text':'','calls':[{}]}  | chat.Message.calls[0].name: missing",
        "{'role':1,'text':'','at':'soon'}   | a time in milliseconds or as RFC 3339, found 'soon'",
        "{'role':1,'text':'','done':1}      | true or false, found 1",
        "[]                                 | chat.Message: expected an object, found an array",
      })
  void whatDoesNotFitIsRefusedWithItsPlace(String json, String complaint) {
    assertThatThrownBy(() -> encode(json, "chat.Message"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void ofAnUnregisteredTypeNamesAreKept() {
    assertThat(hex("{'b':1,'2':2,'a':[{'1':true}]}", "no.Such"))
        .isEqualTo("830202a16201a1619181 01c3".replace(" ", ""));
  }

  @Test
  void whatWasEncodedIsShownAsItWasGiven() {
    Payload bytes =
        encode(
            "{'role':'user','text':'x','at':'2023-11-14T22:13:20+00:00','files':['f'],"
                + "'calls':[{'name':'n','args':'{}'}],'blob':'AQID','size':'7','change':'-7'}",
            "chat.Message");
    Projection projection =
        Projection.of(
            bytes,
            Encoding.MSGPACK,
            new DeclaredType("chat.Message", 1),
            Projection.Hint.Inherit.INHERIT,
            CATALOGUE,
            RenderOptions.DEFAULTS);

    assertThat(((Projection.Typed) projection).data().text().replace('"', '\''))
        .isEqualTo(
            "{'role':'user','text':'x','at':'2023-11-14T22:13:20+00:00','files':['f'],"
                + "'calls':[{'name':'n','args':'{}'}],'blob':'AQID','size':'7','change':'-7'}");
  }
}
