// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.View;
import dev.varve.server.http.Served.Reply;
import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values that are posted as JSON are kept exactly, or refused with their place.
final class ExactJsonTest extends ServiceFixture {

  @BeforeEach
  void makeContext() {
    served.post("/v1/contexts", "{}");
  }

  private Reply append(int encoding, String data) {
    return served.post(
        "/v1/contexts/1/append",
        "{\"type_id\":\"x\",\"type_version\":1,\"encoding\":%d,\"data\":%s}"
            .formatted(encoding, data));
  }

  private String shown() {
    return served.get("/v1/contexts/1/turns").text();
  }

  private String stored() {
    Payload payload =
        served.store.last(new ContextId(1), 1, View.LATEST).turns().getLast().payload();
    return payload == null
        ? ""
        : new String(payload.bytes(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "1e400, 1E+400, 1E+400",
    "1e-400, 1E-400, 1E-400",
    "18446744073709551616, 18446744073709551616, 18446744073709551616",
    "3.14159265358979323846, 3.14159265358979323846, 3.14159265358979323846",
    "-0.0, -0.0, -0.0",
    "18446744073709551615, 18446744073709551615, 18446744073709551615",
    "0.1, 0.1, 0.1",
    "-0, -0.0, -0.0",
    "-0.0e5, -0.0, -0.0",
    "1.50, 1.50, 1.5",
    "5e-324, 5E-324, 4.9E-324",
    "1E5, 1E+5, 100000.0",
    "9007199254740993.0, 9007199254740993.0, 9007199254740993.0",
    "1e2147483647, 1E+2147483647, 1E+2147483647",
  })
  void jsonKeepsItsNumbers(String given, String kept, String projected) {
    assertThat(append(2, "{\"a\":[" + given + "]}").status()).isEqualTo(201);

    assertThat(stored()).isEqualTo("{\"a\":[" + kept + "]}");
    assertThat(shown()).contains("\"data\":{\"a\":[" + projected + "]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e400", "-1e400", "1e-400", "18446744073709551616", "3.14159265358979323846"})
  void aNumberThatMsgpackCannotHoldIsRefusedWithItsPlace(String number) {
    Reply reply = append(1, "{\"a\":[0,{\"b\":" + number + "}]}");

    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.text())
        .contains("data.a[1].b: expected a number")
        .contains("found " + new BigDecimal(number));
    assertThat(served.get("/v1/stats").json().path("turns").intValue()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999", "-1e-2147483649", "0e99999999999"})
  void anExponentThatNoNumberHasIsRefusedWithItsPlace(String number) {
    for (int encoding : new int[] {1, 2}) {
      Reply reply = append(encoding, "{\"a\":[0,{\"b\":" + number + "}]}");

      assertThat(reply.status()).isEqualTo(422);
      assertThat(reply.text()).contains("an exponent of more than 32 bits at /data/a/1/b");
    }
  }

  @Test
  void aZeroBelowZeroStaysBelowZeroInMsgpack() {
    assertThat(append(1, "{\"a\":-0}").status()).isEqualTo(201);

    assertThat(shown()).contains("\"data\":{\"a\":-0.0}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.1",
        "0.10000000000000001",
        "-0.0",
        "1.7976931348623157E308",
        "4.9E-324",
        "1E20",
        "9223372036854775808",
        "-9223372036854775808"
      })
  void aNumberThatMsgpackHoldsIsShownWithItsValue(String number) {
    assertThat(append(1, "{\"a\":" + number + "}").status()).isEqualTo(201);

    assertThat(shown()).containsPattern("\"data\":\\{\"a\":[^}\"]+}");
    String found = shown().replaceAll("(?s).*\"data\":\\{\"a\":([^}]+)}.*", "$1");
    assertThat(Double.parseDouble(found)).isEqualTo(Double.parseDouble(number));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLoneSurrogateIsRefusedWithItsPlace(int encoding) {
    assertThat(append(encoding, "{\"a\":[\"\\ud83c\\udf0a\"]}").status()).isEqualTo(201);
    for (String half : new String[] {"\\ud83c", "\\udf0a", "x\\ud83cx", "\\udf0a\\ud83c"}) {
      Reply reply = append(encoding, "{\"a\":[\"" + half + "\"]}");

      assertThat(reply.status()).as(half).isEqualTo(422);
      assertThat(reply.text()).contains("a lone surrogate at /data/a/0");
    }
    assertThat(append(encoding, "{\"\\ud83c\":1}").status()).isEqualTo(422);
  }

  @Test
  void halvesAndNumbersThatWereStoredOtherwiseAreShownUnchanged() {
    String payload = "{\"a\":\"\\ud83c \\\"\\\\\",\"b\":1e400,\"c\":[1e99999999999,-0]}";
    served.store.append(
        new ContextId(1),
        NewTurn.of(Payload.utf8(payload), new DeclaredType("x", 1), Encoding.JSON));

    assertThat(shown())
        .contains(
            "\"data\":{\"a\":\"\\ud83c \\u0022\\u005c\",\"b\":1e400,\"c\":[1e99999999999,-0.0]}");
  }
}
