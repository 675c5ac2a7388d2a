// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.access.PageEntry;
import dev.varve.server.http.Served.Reply;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Real requests and answers of every operation are what the API document says they are.
final class ContractTest {

  private static final String TALK =
      "{\"type_id\":\"chat.Message\",\"type_version\":1,\"data\":{\"role\":2,\"text\":\"hi\","
          + "\"30\":{\"2\":\"A title\",\"3\":[\"l\"],\"10\":{\"42\":\"x\",\"60\":{\"A\":\"b\"}}}}}";

  @TempDir Path folder;
  private Served served;
  private Contract contract;

  @BeforeEach
  void start() {
    Path store = folder.resolve("s");
    served =
        new Served(store, Served.ANY_PORT.withSearch(store).withRestores(new NotedRestores(true)));
    contract = new Contract(served.get("/openapi.json").json());
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Reply holds(String operation, Reply reply) {
    assertThat(contract.check(operation, reply.status(), reply.json()))
        .as("%s: %d %s", operation, reply.status(), reply.text())
        .isEmpty();
    return reply;
  }

  private Reply post(String operation, String path, String body) {
    assertThat(contract.checkRequest(operation, JsonTrees.read(Served.utf8(body))))
        .as("%s takes %s", operation, body)
        .isEmpty();
    return holds(operation, served.post(path, body));
  }

  private void erasures(String at) {
    Payload body = Payload.utf8("to be erased");
    String choice = "{\"blobs\":[\"" + served.store.put(body) + "\"]";
    JsonNode plan = post("planErasure", "/v1/erasures/plan", choice + "}").json();
    post(
        "erase",
        "/v1/erasures",
        choice + ",\"plan_digest\":\"" + plan.get("plan_digest").stringValue() + "\"}");
    holds("placeHold", served.put(at + "/hold", Served.utf8("{\"reason\":\"audit\"}")));
    get("listHolds", "/v1/holds");
    holds("releaseHold", served.send(at + "/hold", HttpRequest.Builder::DELETE));
  }

  private Reply get(String operation, String path) {
    return holds(operation, served.get(path));
  }

  @Test
  void everyAnswerOfEveryOperationIsWhatTheDocumentSays() {
    get("apiDocument", "/openapi.json");
    byte[] bundle =
        Served.utf8(
            "{\"registry_version\":1,\"bundle_id\":\"b\",\"types\":{\"chat.Message\":{\"versions\":"
                + "{\"1\":{\"fields\":{\"1\":{\"name\":\"role\",\"type\":\"u8\",\"enum\":\"Role\"},"
                + "\"2\":{\"name\":\"text\",\"type\":\"string\",\"optional\":true},"
                + "\"3\":{\"name\":\"parts\",\"type\":\"array\",\"items\":{\"type\":\"ref\",\"ref\":\"x\"},"
                + "\"optional\":true}},\"renderer\":{\"esm_url\":\"builtin:M\"}}}}},"
                + "\"enums\":{\"Role\":{\"1\":\"system\",\"2\":\"user\"}}}");
    assertThat(contract.checkRequest("putBundle", JsonTrees.read(bundle))).isEmpty();
    holds("putBundle", served.put("/v1/registry/bundles/b", bundle));
    get("getBundle", "/v1/registry/bundles/b");
    get("listTypes", "/v1/registry/types");
    get("getTypeVersion", "/v1/registry/types/chat.Message/versions/1");
    get("listRenderers", "/v1/registry/renderers");

    String context =
        post("createContext", "/v1/contexts", "{}").json().get("context_id").asString();
    post("createContextToo", "/v1/contexts/create?u64_format=number", "{\"base_turn_id\":0}");
    String at = "/v1/contexts/" + context;
    String turn = post("appendTurn", at + "/append", TALK).json().get("turn_id").asString();
    post("appendTurnToo", at + "/turns?u64_format=number", TALK);
    post("appendTurns", at + "/append-batch", "{\"turns\":[" + TALK + "," + TALK + "]}");
    Reply partial =
        served.post(
            at + "/append-batch",
            "{\"turns\":[" + TALK + ",{\"type_id\":\"x\",\"type_version\":1}]}");
    assertThat(partial.json().get("partial").booleanValue()).isTrue();
    holds("appendTurns", partial);
    String fork =
        post("forkContext", "/v1/contexts/fork", "{\"base_turn_id\":\"" + turn + "\"}")
            .json()
            .get("context_id")
            .asString();
    post(
        "appendTurn",
        "/v1/contexts/" + fork + "/append",
        TALK.replace("\"42\":", "\"1\":7,\"42\":"));
    post(
        "appendTurn",
        at + "/append",
        "{\"type_id\":\"raw\",\"type_version\":1,\"encoding\":9,\"payload_base64\":\"AAEC\"}");

    for (String more : new String[] {"", "&u64_format=number"}) {
      get("listContexts", "/v1/contexts?include_provenance=1&include_lineage=1" + more);
      get("getContext", at + "?x=1" + more);
      get("getContext", "/v1/contexts/" + fork + "?x=1" + more);
      get("searchContexts", "/v1/contexts/search?q=depth%20%3E%3D%200" + more);
      get("getProvenance", at + "/provenance?x=1" + more);
      get("listChildren", at + "/children?recursive=1" + more);
      get("getTree", "/v1/contexts/" + fork + "/tree?x=1" + more);
      get("compareContexts", at + "/comparison?with=" + fork + more);
      get("listTurns", at + "/turns?view=both&include_unknown=1" + more);
      get("listTurns", at + "/turns?view=raw&bytes_render=hex" + more);
      get("listTurns", at + "/turns?view=raw&bytes_render=len_only" + more);
    }
    get("searchContexts", "/v1/contexts/search?q=colour%20%3D%201");
    get("searchContexts", "/v1/contexts/search");
    get("sizeContexts", "/v1/contexts/sizes?ids=" + context);
    get("sizeContexts", "/v1/contexts/sizes?u64_format=number&ids=" + context);

    byte[] bytes = Served.utf8("some bytes");
    BlobHash hash = served.store.put(Payload.wrap(bytes));
    holds("putBlob", served.put("/v1/blobs/" + hash, bytes));
    post(
        "missingBlobs",
        "/v1/blobs/missing",
        "{\"hashes\":[\"" + hash + "\",\"" + "0".repeat(64) + "\"]}");
    files(turn, hash);

    try (Store remote =
        RemoteStore.connect(served.server.binaryAddress(), RemoteOptions.DEFAULTS)) {
      remote.append(
          remote.createContext().id(),
          dev.varve.NewTurn.of(
              Payload.utf8("x"), new dev.varve.DeclaredType("x", 1), dev.varve.Encoding.RAW));
      get("listContexts", "/v1/contexts"); // with a session
    }
    for (String form : new String[] {"", "?u64_format=number"}) {
      holds("deleteTurn", served.send("/v1/turns/" + turn + form, HttpRequest.Builder::DELETE));
    }
    get("listTurns", at + "/turns?view=both");
    erasures(at);
    get("searchTurns", "/v1/search?q=role:text&limit=1");
    get("recallTurns", "/v1/search/recall?q=hi");
    get("fixTurns", "/v1/search/fix?q=hi");
    get("howTurns", "/v1/search/how?q=hi");
    PageEntry entry = PageEntry.reading();
    try (Served page = new Served(folder.resolve("page"), Served.ANY_PORT.withEntry(entry))) {
      holds("openPage", page.post("/ui/session", "{\"code\":\"" + entry.code() + "\"}"));
      assertThat(page.get("/v1/contexts").status()).isEqualTo(401);
    }
    get("health", "/health");
    get("stats", "/v1/stats");
    surveys();
    get("metricsJson", "/v1/metrics");
    get("listErrors", "/v1/errors");
    for (String method : List.of("initialize", "tools/list", "nothing")) {
      post("mcp", "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}");
    }
    post(
        "mcp",
        "/mcp",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\"cxdb_list_contexts\"}}");

    Set<String> missing = new TreeSet<>(contract.operations());
    missing.removeAll(contract.held());
    assertThat(missing).as("operations of which no answer was looked at").isEmpty();
  }

  private void surveys() {
    for (String name : List.of("space", "garbage", "check")) {
      holds("startSurvey", served.post("/v1/surveys/" + name, ""));
      Surveys.await(served, name);
    }
    get("listSurveys", "/v1/surveys");
  }

  private void files(String turn, BlobHash content) {
    String at = "/v1/turns/" + turn + "/fs";
    for (int i = 0; i < 2; i++) {
      Tree tree = new Tree(List.of(new TreeEntry("a" + i, TreeEntry.Kind.FILE, 0644, 10, content)));
      BlobHash root = served.store.put(tree.payload());
      served.store.attachFsRoot(new TurnId(Long.parseLong(turn)), root);
      get("listFiles", at);
      get("listFiles", at + "?recursive=1");
      get("listFiles", at + "?since=" + turn + "&u64_format=number");
      get("getFile", at + "/a" + i + "?format=json");
    }
    String digest =
        holds("planRestore", served.post("/v1/turns/" + turn + "/restore-plan", ""))
            .json()
            .get("plan_digest")
            .stringValue();
    post("restoreFiles", "/v1/turns/" + turn + "/restore", "{\"plan_digest\":\"" + digest + "\"}");
  }

  @Test
  void refusalsAreWhatTheDocumentSays() {
    holds("getContext", served.get("/v1/contexts/99"));
    holds("getContext", served.get("/v1/contexts/x"));
    holds("appendTurn", served.post("/v1/contexts/99/append", TALK));
    holds("createContext", served.post("/v1/contexts", "["));
    holds("getTypeVersion", served.get("/v1/registry/types/x/versions/1"));
    holds(
        "mcp",
        served.send(
            "/mcp", r -> r.POST(BodyPublishers.ofString("{\"jsonrpc\":\"1.0\",\"id\":1}"))));
  }

  /// A contract that lets everything pass would hold too.
  @Test
  void anAnswerThatIsNotAsToldIsFound() {
    Reply made = served.post("/v1/contexts", "");
    var body = (tools.jackson.databind.node.ObjectNode) made.json();

    assertThat(contract.check("createContext", 201, body)).isEmpty();
    assertThat(contract.check("createContext", 200, body)).isNotEmpty();
    assertThat(contract.check("createContext", 201, body.deepCopy().put("more", 1))).isNotEmpty();
    assertThat(contract.check("createContext", 201, body.deepCopy().put("head_depth", "1")))
        .isNotEmpty();
    body.remove("context_id");
    assertThat(contract.check("createContext", 201, body)).isNotEmpty();
    assertThat(served.store.head(new ContextId(1)).headDepth()).isZero();
  }
}
