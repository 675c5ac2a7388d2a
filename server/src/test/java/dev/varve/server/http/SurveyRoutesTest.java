// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.access.PageEntry;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The surveys of the whole store: asked for, counted, and kept until the next.
final class SurveyRoutesTest extends ServiceFixture {

  private JsonNode survey(String name) {
    assertThat(served.post("/v1/surveys/" + name, "").status()).isEqualTo(202);
    JsonNode survey = Surveys.await(served, name);
    assertThat(survey.has("failure")).as(survey.toString()).isFalse();
    return survey.get("last");
  }

  private ContextHead context(String agent, String project) {
    return served.store.createContext(TurnId.NONE, served.store.put(about(agent, project)));
  }

  private static Payload about(String agent, String project) {
    return Payload.utf8("{\"kind\":\"" + agent + ".branch\",\"cwd\":\"/src/" + project + "\"}");
  }

  private Turn append(ContextHead context, String type, String text) {
    return served.store.append(
        context.id(), NewTurn.of(Payload.utf8(text), new DeclaredType(type, 1), Encoding.RAW));
  }

  private static JsonNode named(JsonNode shares, String name) {
    return shares
        .valueStream()
        .filter(share -> share.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + shares));
  }

  private static long bytes(JsonNode share, String name) {
    return share.get(name + "_bytes").longValue();
  }

  @Test
  void noneHasRunBeforeSomebodyAsks() {
    for (JsonNode survey : served.get("/v1/surveys").json()) {
      assertThat(survey.get("running").booleanValue()).isFalse();
      assertThat(survey.has("last")).isFalse();
    }
    assertThat(served.post("/v1/surveys/other", "").status()).isEqualTo(404);
  }

  @Test
  void theSpaceIsSharedByAgentProjectAndKind() {
    ContextHead one = context("pi", "shop");
    ContextHead two = context("claude", "shop");
    Turn first = append(one, "talk", "0123456789");
    append(one, "talk", "0123456789");
    append(two, "talk", "0123456789");
    append(two, "note", "abcde");
    ContextHead fork = served.store.fork(first.id());
    append(fork, "note", "fork!");

    JsonNode last = survey("space");

    long descriptions = about("pi", "shop").sizeBytes() + about("claude", "shop").sizeBytes();
    assertThat(bytes(last.get("all"), "content")).isEqualTo(40 + descriptions);
    assertThat(bytes(last.get("all"), "kept")).isEqualTo(20 + descriptions);
    assertThat(last.get("all").get("turns").longValue()).isEqualTo(5);
    assertThat(last.get("all").get("contexts").longValue()).isEqualTo(3);
    assertThat(last.get("store_turns").longValue()).isEqualTo(5);
    JsonNode talk = named(last.get("kinds"), "talk");
    assertThat(bytes(talk, "content")).isEqualTo(30);
    assertThat(bytes(talk, "kept")).isEqualTo(10);
    assertThat(talk.get("turns").longValue()).isEqualTo(3);
    assertThat(bytes(named(last.get("kinds"), "(descriptions)"), "kept")).isEqualTo(descriptions);
    assertThat(named(last.get("agents"), "pi").get("turns").longValue()).isEqualTo(1);
    assertThat(bytes(named(last.get("agents"), "claude"), "content"))
        .isEqualTo(15 + about("claude", "shop").sizeBytes());
    assertThat(named(last.get("agents"), "").get("turns").longValue())
        .as("a turn counts for the newest context that has it")
        .isEqualTo(2);
    assertThat(named(last.get("projects"), "shop").get("contexts").longValue()).isEqualTo(2);
    assertThat(last.get("exact").booleanValue()).isTrue();
    assertThat(last.get("unreadable").longValue()).isZero();
  }

  @Test
  void attachedFilesCountWithTheirFoldersAndOnceOnly() {
    BlobHash file = served.store.put(Payload.utf8("0123456789"));
    Payload inner = new Tree(List.of(file("a", file))).payload();
    BlobHash innerHash = served.store.put(inner);
    Payload outer =
        new Tree(
                List.of(
                    file("b", file),
                    new TreeEntry("in", TreeEntry.Kind.DIRECTORY, 0755, 0, innerHash)))
            .payload();
    BlobHash root = served.store.put(outer);
    ContextHead context = context("pi", "shop");
    for (int i = 0; i < 3; i++) {
      served.store.attachFsRoot(append(context, "talk", "turn " + i).id(), root);
    }
    BlobHash absent = served.store.put(Payload.utf8("no folder"));
    served.store.attachFsRoot(append(context, "talk", "turn 3").id(), absent);

    JsonNode last = survey("space");

    long folders = inner.sizeBytes() + outer.sizeBytes();
    JsonNode files = named(last.get("kinds"), "(files)");
    assertThat(bytes(files, "content")).isEqualTo(3 * (folders + 20) + 9);
    assertThat(bytes(files, "kept")).isEqualTo(folders + 10 + 9);
    assertThat(files.get("turns").longValue()).isEqualTo(4);
    assertThat(last.get("unreadable").longValue()).isEqualTo(1);
  }

  private static TreeEntry file(String name, BlobHash hash) {
    return new TreeEntry(name, TreeEntry.Kind.FILE, 0644, 10, hash);
  }

  @Test
  void theForecastIsThatOfAGarbageCollection() {
    ContextHead context = context("pi", "shop");
    Turn hidden = append(context, "talk", "to be hidden by a tombstone");
    append(context, "talk", "stays");
    assertThat(survey("garbage").get("blobs").longValue()).isZero();

    served.store.tombstone(hidden.id());

    JsonNode last = survey("garbage");
    JsonNode plan =
        served.post("/v1/erasures/plan", "{\"garbage\":true,\"leave_held\":true}").json();
    assertThat(last.get("blobs").longValue()).isEqualTo(1);
    assertThat(last.get("turns").longValue()).isEqualTo(1);
    assertThat(last.get("pack_bytes").longValue())
        .isPositive()
        .isEqualTo(plan.get("pack_bytes").longValue());
    assertThat(bytes(survey("space").get("all"), "content"))
        .isEqualTo("stays".length() + about("pi", "shop").sizeBytes());
  }

  @Test
  void theLastCheckIsKnownWhoeverAskedForTheCheck() {
    append(context("pi", "shop"), "talk", "text");
    try (Store remote =
        RemoteStore.connect(served.server.binaryAddress(), RemoteOptions.DEFAULTS)) {
      assertThat(remote.check().sound()).isTrue();
    }

    JsonNode ofClient = served.get("/v1/surveys").json().at("/check/last");
    assertThat(ofClient.get("sound").booleanValue()).isTrue();
    assertThat(ofClient.get("turns").longValue()).isEqualTo(1);

    append(context("pi", "shop"), "talk", "more");
    assertThat(survey("check").get("turns").longValue()).isEqualTo(2);
  }

  @Test
  void whoeverMayReadMayAsk() {
    PageEntry entry = PageEntry.reading();
    try (Served page = new Served(folder.resolve("p"), Served.ANY_PORT.withEntry(entry))) {
      assertThat(page.post("/v1/surveys/space", "").status()).isEqualTo(401);
      String token = entry.redeem(entry.code()).orElseThrow();
      assertThat(
              page.send(
                      "/v1/surveys/space",
                      request ->
                          request
                              .header("Authorization", "Bearer " + token)
                              .POST(java.net.http.HttpRequest.BodyPublishers.noBody()))
                  .status())
          .isEqualTo(202);
    }
  }
}
