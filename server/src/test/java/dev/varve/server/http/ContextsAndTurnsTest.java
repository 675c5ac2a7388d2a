// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static dev.varve.server.http.Served.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.hash.Blake3;
import dev.varve.server.http.Served.Reply;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ContextsAndTurnsTest extends ServiceFixture {

  private static String turn(String text, String more) {
    return "{\"type_id\":\"t\",\"type_version\":1,\"payload_base64\":\""
        + Base64.getEncoder().encodeToString(utf8(text))
        + "\""
        + more
        + "}";
  }

  private Reply append(int context, String text, String more) {
    return served.post("/v1/contexts/" + context + "/append", turn(text, more));
  }

  private List<String> texts(String path) {
    return served
        .get(path)
        .json()
        .get("turns")
        .valueStream()
        .map(each -> new String(Base64.getDecoder().decode(each.get("bytes_b64").stringValue())))
        .toList();
  }

  @Test
  void aConversationIsWrittenAndReadBack() {
    Reply made = served.post("/v1/contexts/create", "");
    Reply appended = append(1, "one", "");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text())
        .startsWith("{\"context_id\":\"1\",\"head_turn_id\":\"0\",\"head_depth\":0");
    assertThat(appended.status()).isEqualTo(201);
    assertThat(appended.text())
        .isEqualTo(
            "{\"context_id\":\"1\",\"turn_id\":\"1\",\"parent_turn_id\":\"0\",\"depth\":0,\"content_hash\":\"%s\"}"
                .formatted(Blake3.hash(utf8("one"))));
    append(1, "two", "");
    assertThat(texts("/v1/contexts/1/turns?view=raw")).containsExactly("one", "two");
  }

  @Test
  void pagesGoBackToTheRoot() {
    served.post("/v1/contexts", "{}");
    for (int i = 1; i <= 5; i++) {
      append(1, "t" + i, "");
    }

    JsonNode newest = served.get("/v1/contexts/1/turns?view=raw&limit=2").json();

    assertThat(newest.at("/meta/head_turn_id").stringValue()).isEqualTo("5");
    assertThat(newest.at("/meta/head_depth").intValue()).isEqualTo(4);
    assertThat(newest.get("next_before_turn_id").stringValue()).isEqualTo("4");
    assertThat(texts("/v1/contexts/1/turns?view=raw&limit=3&before_turn_id=4"))
        .containsExactly("t1", "t2", "t3");
    assertThat(
            served
                .get("/v1/contexts/1/turns?before_turn_id=1")
                .json()
                .get("next_before_turn_id")
                .isNull())
        .isTrue();
    assertThat(served.get("/v1/contexts/1/turns?limit=0").json().get("turns").isEmpty()).isTrue();
    assertThat(served.get("/v1/contexts/1/turns?limit=20000").json().get("turns").size())
        .isEqualTo(5); // above the cap the cap counts
  }

  @Test
  void aDeletedTurnKeepsItsPlaceAndShowsNoPayload() {
    served.post("/v1/contexts", "{}");
    append(1, "secret", "");
    append(1, "two", "");

    Reply deleted = served.send("/v1/turns/1", HttpRequest.Builder::DELETE);
    Reply again = served.send("/v1/turns/1", HttpRequest.Builder::DELETE);

    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.text())
        .isEqualTo("{\"turn_id\":\"1\",\"tombstone\":true,\"overlay_seq\":1}");
    assertThat(again.text()).isEqualTo(deleted.text());
    JsonNode turns = served.get("/v1/contexts/1/turns?view=raw").json().get("turns");
    assertThat(turns.get(0).get("tombstone").booleanValue()).isTrue();
    assertThat(turns.get(0).has("bytes_b64")).isFalse();
    assertThat(turns.get(1).has("bytes_b64")).isTrue();
    assertThat(served.send("/v1/turns/99", HttpRequest.Builder::DELETE).status()).isEqualTo(404);
  }

  @Test
  void aCursorOfAnotherContextIsNotFound() {
    served.post("/v1/contexts", "{}");
    served.post("/v1/contexts", "{}");
    append(1, "one", "");
    append(2, "two", "");

    assertThat(served.get("/v1/contexts/2/turns?before_turn_id=1").status()).isEqualTo(404);
  }

  @Test
  void aContextIsMadeWithoutABodyAndWithNull() {
    for (String body : List.of("", "null", "{}")) {
      assertThat(served.post("/v1/contexts", body).status()).as("<%s>", body).isEqualTo(201);
    }
    assertThat(served.post("/v1/contexts", "[]").status()).isEqualTo(422);
    assertThat(served.post("/v1/contexts/fork", "null").status()).isEqualTo(422);
  }

  @Test
  void aForkGoesItsOwnWay() {
    served.post("/v1/contexts", "{}");
    append(1, "one", "");
    append(1, "two", "");

    Reply fork = served.post("/v1/contexts/fork", "{\"base_turn_id\":\"1\"}");
    append(2, "else", "");

    assertThat(fork.json().get("head_turn_id").stringValue()).isEqualTo("1");
    assertThat(texts("/v1/contexts/2/turns?view=raw")).containsExactly("one", "else");
    assertThat(texts("/v1/contexts/1/turns?view=raw")).containsExactly("one", "two");
    assertThat(served.post("/v1/contexts/fork", "{\"base_turn_id\":99}").status()).isEqualTo(409);
    assertThat(served.post("/v1/contexts/fork", "{}").status()).isEqualTo(422);
  }

  /// The row on keys that clients make from the content in docs/cxdb-compatibility.md.
  @Test
  void aKeyOfTheContentAloneGivesTheFirstTurnAgainAndAKeyWithTheParentDoesNot() {
    served.post("/v1/contexts", "{}");
    List<String> answers = new ArrayList<>();
    for (String content : List.of("A", "B", "A", "B")) {
      answers.add(append(1, content, ",\"idempotency_key\":\"" + content + "\"").text());
    }

    assertThat(answers.subList(2, 4)).isEqualTo(answers.subList(0, 2));
    assertThat(answers.get(2)).contains("\"depth\":0");
    assertThat(served.store.counts().turns()).isEqualTo(2);

    append(1, "A", ",\"idempotency_key\":\"A after 2\"");
    append(1, "B", ",\"idempotency_key\":\"B after 3\"");
    assertThat(texts("/v1/contexts/1/turns?view=raw")).containsExactly("A", "B", "A", "B");
  }

  @Test
  void aRetryAppendsOnceAndAMovedHeadIsAConflict() {
    served.post("/v1/contexts", "{}");

    Reply first = append(1, "x", ",\"idempotency_key\":\"k\"");
    Reply again = append(1, "x", ",\"idempotency_key\":\"k\"");
    Reply other = append(1, "y", ",\"idempotency_key\":\"k\"");
    Reply moved = append(1, "z", ",\"expected_head_turn_id\":\"0\"");
    Reply orphan = append(1, "z", ",\"parent_turn_id\":77");

    assertThat(again.text()).isEqualTo(first.text());
    assertThat(other.status()).isEqualTo(409);
    assertThat(moved.status()).isEqualTo(409);
    assertThat(orphan.status()).isEqualTo(409);
    assertThat(served.store.counts().turns()).isEqualTo(1);
  }

  @Test
  void idsAreNumbersForThoseWhoAsk() {
    served.post("/v1/contexts", "{}");
    append(1, "x", "");

    JsonNode page = served.get("/v1/contexts/1/turns?u64_format=number").json();

    assertThat(page.at("/turns/0/turn_id").isIntegralNumber()).isTrue();
    assertThat(page.at("/meta/context_id").isIntegralNumber()).isTrue();
    assertThat(
            served
                .get("/v1/contexts?u64_format=number")
                .json()
                .at("/contexts/0/context_id")
                .isIntegralNumber())
        .isTrue();
    assertThat(served.get("/v1/contexts?u64_format=float").status()).isEqualTo(422);
  }

  @Test
  void bytesAreWrittenAsAsked() {
    served.post("/v1/contexts", "{}");
    append(1, "xyz", "");

    String path = "/v1/contexts/1/turns?view=raw&bytes_render=";
    assertThat(served.get(path + "hex").json().at("/turns/0/bytes_hex").stringValue())
        .isEqualTo(HexFormat.of().formatHex(utf8("xyz")));
    assertThat(served.get(path + "len_only").json().at("/turns/0/bytes_len").intValue())
        .isEqualTo(3);
  }

  @Test
  void aBatchSaysHowFarItCame() {
    served.post("/v1/contexts", "{}");
    String path = "/v1/contexts/1/append-batch";

    Reply whole = served.post(path, "{\"turns\":[" + turn("a", "") + "," + turn("b", "") + "]}");
    Reply part =
        served.post(
            path,
            "{\"items\":[" + turn("c", "") + "," + turn("d", ",\"parent_turn_id\":99") + "]}");

    assertThat(whole.status()).isEqualTo(201);
    assertThat(whole.json().get("partial").booleanValue()).isFalse();
    assertThat(whole.json().get("turns").size()).isEqualTo(2);
    assertThat(part.status()).isEqualTo(409);
    assertThat(part.json().get("partial").booleanValue()).isTrue();
    assertThat(part.json().get("failed_index").intValue()).isEqualTo(1);
    assertThat(part.json().get("turns").size()).isEqualTo(1);
    assertThat(served.post(path, "{\"turns\":[]}").status()).isEqualTo(422);
  }

  @Test
  void whatIsNotThereIsToldInCxdbsShapeAndInProblemDetails() {
    Reply reply = served.get("/v1/contexts/99");
    Reply problem = served.get("/v1/contexts/99", "Accept", "application/problem+json");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.json().at("/error/code").intValue()).isEqualTo(404);
    assertThat(reply.json().at("/error/message").stringValue()).contains("context");
    assertThat(reply.json().get("title").stringValue()).isEqualTo("Not Found");
    assertThat(problem.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(served.get("/nothing").json().at("/error/message").stringValue()).isEqualTo("route");
    assertThat(served.get("/v1/contexts/x").status()).isEqualTo(422);
  }

  @Test
  void aWrongMethodIsToldTheRightOnes() {
    Reply reply = served.put("/v1/contexts", new byte[0]);

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("Allow")).isEqualTo("GET, HEAD, POST");
  }

  @Test
  void theServiceSaysThatItIsWell() {
    assertThat(served.get("/healthz").text()).isEqualTo("ok");
    assertThat(served.get("/health").json().get("status").stringValue()).isEqualTo("ok");
    assertThat(served.get("/health").json().get("version").stringValue()).isEqualTo("1.2.3");
  }
}
