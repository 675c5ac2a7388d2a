// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.server.http.Served.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Erasures and holds over HTTP, in a service that goes on.
final class ErasureRoutesTest {

  private static final String CHOICE = "\"secrets\":[\"AKIA-EXAMPLE-9\"]";

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void start() {
    Path place = folder.resolve("s");
    served = new Served(place, Served.ANY_PORT.withSearch(place));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Turn say(String text) {
    ContextId context =
        served.store.counts().contexts() == 0
            ? served.store.createContext().id()
            : new ContextId(1);
    return served.store.append(
        context, NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.JSON));
  }

  @Test
  void whatAPlanShowsIsErasedByItsDigestWhileTheServiceGoesOn() {
    say("before");
    BlobHash gone = say("the key AKIA-EXAMPLE-9").payloadHash();

    JsonNode plan = served.post("/v1/erasures/plan", "{" + CHOICE + "}").json();
    assertThat(plan.get("blobs").intValue()).isEqualTo(1);
    assertThat(plan.get("going").get(0).get("hash").stringValue()).isEqualTo(gone.toString());
    assertThat(served.get("/v1/blobs/" + gone).status()).isEqualTo(200);
    String digest = plan.get("plan_digest").stringValue();
    Reply erased =
        served.post("/v1/erasures", "{" + CHOICE + ",\"plan_digest\":\"" + digest + "\"}");

    assertThat(erased.status()).isEqualTo(200);
    assertThat(erased.json().get("run").intValue()).isEqualTo(1);
    assertThat(Files.exists(folder.resolve("s/erasure-1.json"))).isTrue();
    assertThat(served.get("/v1/blobs/" + gone).status()).isEqualTo(404);
    assertThat(served.put("/v1/blobs/" + gone, Served.utf8("the key AKIA-EXAMPLE-9")).status())
        .isBetween(400, 499);
    assertThat(served.get("/v1/contexts/1/turns?view=raw").json().get("turns")).hasSize(2);
    say("after");
    assertThat(served.get("/v1/contexts/1/turns?view=raw").json().get("turns")).hasSize(3);
  }

  @Test
  void anErasedWordIsNotFoundBySearchAnyMore() {
    say("the key AKIA-EXAMPLE-9 of xyzzyplugh");
    awaitHits("xyzzyplugh", 1);

    String digest =
        served
            .post("/v1/erasures/plan", "{" + CHOICE + "}")
            .json()
            .get("plan_digest")
            .stringValue();
    served.post("/v1/erasures", "{" + CHOICE + ",\"plan_digest\":\"" + digest + "\"}");

    assertThat(hits("xyzzyplugh")).isZero();
    say("the colour of the door");
    awaitHits("colour", 1);
    assertThat(hits("xyzzyplugh")).isZero();
  }

  private int hits(String word) {
    Reply found = served.get("/v1/search?q=" + word);
    assertThat(found.status()).as(found.text()).isEqualTo(200);
    return found.json().get("hits").size();
  }

  private void awaitHits(String word, int count) {
    Instant end = Instant.now().plus(Duration.ofMinutes(1));
    while (hits(word) != count) {
      assertThat(Instant.now()).isBefore(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void aMemberThatIsNotKnownIsRefused() {
    say("the key AKIA-EXAMPLE-9");

    Reply refused = served.post("/v1/erasures/plan", "{" + CHOICE + ",\"leave_hold\":true}");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("leave_hold");
  }

  @Test
  void theEndOfAHoldIsAWholeNumber() {
    say("held");

    Reply refused =
        served.send(
            "/v1/contexts/1/hold",
            request ->
                request.PUT(
                    java.net.http.HttpRequest.BodyPublishers.ofString("{\"until_unix_ms\":1.5}")));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("until_unix_ms");
  }

  @Test
  void withoutTheDigestOfTheStoreAsItIsNothingGoes() {
    BlobHash first = say("one AKIA-EXAMPLE-9").payloadHash();
    String digest =
        served
            .post("/v1/erasures/plan", "{" + CHOICE + "}")
            .json()
            .get("plan_digest")
            .stringValue();
    say("two AKIA-EXAMPLE-9");

    Reply stale =
        served.post("/v1/erasures", "{" + CHOICE + ",\"plan_digest\":\"" + digest + "\"}");
    Reply without = served.post("/v1/erasures", "{" + CHOICE + "}");

    assertThat(stale.status()).isEqualTo(409);
    assertThat(without.status()).isBetween(400, 422);
    assertThat(served.get("/v1/blobs/" + first).status()).isEqualTo(200);
  }

  @Test
  void holdsArePlacedListedAndReleased() {
    BlobHash held = say("held AKIA-EXAMPLE-9").payloadHash();

    Reply placed =
        served.send(
            "/v1/contexts/1/hold",
            request ->
                request.PUT(
                    java.net.http.HttpRequest.BodyPublishers.ofString("{\"reason\":\"audit\"}")));
    Reply refused = served.post("/v1/erasures/plan", "{" + CHOICE + "}");

    assertThat(placed.status()).isEqualTo(200);
    assertThat(served.get("/v1/holds").json().get("holds").get(0).get("reason").stringValue())
        .isEqualTo("audit");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).contains("audit");
    served.send("/v1/contexts/1/hold", java.net.http.HttpRequest.Builder::DELETE);
    assertThat(served.get("/v1/holds").json().get("holds")).isEmpty();
    assertThat(served.post("/v1/erasures/plan", "{" + CHOICE + "}").status()).isEqualTo(200);
    assertThat(served.get("/v1/blobs/" + held).status()).isEqualTo(200);
  }
}
