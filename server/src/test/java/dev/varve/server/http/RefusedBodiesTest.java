// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.server.http.Served.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refusals of JSON bodies name the place, what is expected there, and what was found.
final class RefusedBodiesTest extends ServiceFixture {

  @BeforeEach
  void makeContext() {
    served.post("/v1/contexts", "{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "append      | []                  | body: expected a JSON object, found an array",
        "append      | 5                   | body: expected a JSON object, found 5",
        "append      | {}                  | type_id: expected a string, found nothing",
        "append      | {'type_id':5}       | type_id: expected a string, found 5",
        "append      | {'type_id':null}    | type_id: expected a string, found null",
        "append      | {'type_id':'x','type_version':'1'} | type_version: expected a whole number,"
            + " found \"1\"",
        "append      | {'type_id':'x','type_version':-1} | type_version: expected 0 to 4294967295,"
            + " found -1",
        "append      | {'type_id':'x','type_version':1,'payload':{'a':1e400}} | payload.a: expected"
            + " a number that 64 bits or a double hold, found 1E+400",
        "append      | {'type_id':'x','type_version':1,'data':[1e400]} | data[0]: expected a number"
            + " that 64 bits or a double hold, found 1E+400",
        "append      | {'type_id':'x','type_version':1,'payload_base64':'%'} | payload_base64:"
            + " expected base64, found \"%\"",
        "append      | {'type_id':'x','type_version':1,'data':1,'parent_turn_id':[]} |"
            + " parent_turn_id: expected a turn's id, found an array",
        "append-batch | {'turns':{}}       | turns: expected an array of turns, found an object",
        "append-batch | {'turns':[true]}   | turns[0]: expected an object, found true",
      })
  void ofAppends(String route, String body, String message) {
    assertThat(message(served.post("/v1/contexts/1/" + route, body.replace('\'', '"'))))
        .isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PUT contexts/1/hold | {'reason':5}  | reason: expected a string, found 5",
        "PUT contexts/1/hold | {'until_unix_ms':'x'}  | until_unix_ms: expected a number of"
            + " milliseconds, or null, found \"x\"",
        "POST erasures         | {'contexts':['1']} | plan_digest: expected a string, found"
            + " nothing",
        "POST erasures/plan    | {'contexts':'1'} | contexts: expected an array of strings, found"
            + " \"1\"",
        "POST erasures/plan    | {'secrets':'s'} | secrets: expected an array of strings",
        "POST erasures/plan    | {'garbage':1} | garbage: expected true or false, found 1",
        "POST blobs/missing    | {'hashes':{}} | hashes: expected an array of hashes, found an"
            + " object",
        "POST blobs/missing    | {'hashes':[1]} | hashes: expected strings, found 1",
      })
  void ofOtherRoutes(String route, String body, String message) {
    String[] parts = route.split(" ");
    String path = "/v1/" + parts[1];
    String json = body.replace('\'', '"');
    Reply reply =
        parts[0].equals("PUT") ? served.put(path, Served.utf8(json)) : served.post(path, json);
    assertThat(message(reply)).isEqualTo(message);
  }

  @Test
  void aBodyThatIsNotJsonIsRefusedWithItsLineAndColumn() {
    assertThat(message(served.post("/v1/contexts/1/append", "{\n  bad}")))
        .startsWith("invalid json: Unexpected character ('b'")
        .endsWith(" at line 2, column 3");
  }

  @Test
  void aLongValueIsNotRepeated() {
    String body = "{\"type_id\":\"x\",\"type_version\":\"" + "9".repeat(100) + "\"}";

    assertThat(message(served.post("/v1/contexts/1/append", body)))
        .isEqualTo("type_version: expected a whole number, found a text");
  }

  private static String message(Reply reply) {
    assertThat(reply.status()).isEqualTo(422);
    return reply.json().at("/error/message").stringValue();
  }
}
