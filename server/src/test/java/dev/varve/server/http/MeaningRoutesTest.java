// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import dev.varve.server.types.Bundles;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Types, projection, search, lineage and file trees over a port.
class MeaningRoutesTest {

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void serve() {
    served = new Served(folder);
  }

  @AfterEach
  void close() {
    served.close();
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void publish() {
    byte[] bundle = Bundles.payload(Bundles.CHAT).bytes();
    assertThat(served.put("/v1/registry/bundles/chat-v1", bundle).status()).isEqualTo(201);
  }

  @Test
  void aBundleIsPublishedReadAndNotTakenTwice() {
    byte[] bundle = Bundles.payload(Bundles.CHAT.replace("chat-v1", "chat#v1 ä")).bytes();
    Served.Reply stored = served.put("/v1/registry/bundles/chat", bundle);
    assertThat(stored.status()).isEqualTo(201);
    assertThat(stored.text()).isEqualTo("{\"bundle_id\":\"chat#v1 ä\"}");
    assertThat(served.put("/v1/registry/bundles/chat", bundle).status()).isEqualTo(204);

    Served.Reply read = served.get("/v1/registry/bundles/chat%23v1%20%C3%A4");
    assertThat(read.bytes()).isEqualTo(bundle);
    assertThat(read.header("ETag")).matches("\"[0-9a-f]{64}\"");
    assertThat(
            served
                .get(
                    "/v1/registry/bundles/chat%23v1%20%C3%A4", "If-None-Match", read.header("ETag"))
                .status())
        .isEqualTo(304);
    assertThat(served.get("/v1/registry/bundles/other").status()).isEqualTo(404);
  }

  @Test
  void publishedTypesTakeNoNumbersAndSurviveARestart() {
    publish();
    assertThat(served.store.counts().contexts()).isZero();
    assertThat(served.post("/v1/contexts", "").json().at("/context_id").stringValue())
        .isEqualTo("1");
    assertThat(
            served
                .post(
                    "/v1/contexts/1/append",
                    quoted("{'type_id':'chat.Call','type_version':1,'data':{'name':'n'}}"))
                .json()
                .at("/turn_id")
                .stringValue())
        .isEqualTo("1");

    served.close();
    served = new Served(folder);
    assertThat(served.get("/v1/registry/types").text()).contains("chat.Call");
    assertThat(served.get("/v1/contexts/1/turns").text()).contains("\"name\":\"n\"");
  }

  @Test
  void contradictionsAndNonsenseAreRefusedWithTheirStatus() {
    publish();
    byte[] other =
        Bundles.payload(Bundles.CHAT.replace("'text','type':'string'", "'text','type':'u8'"))
            .bytes();
    Served.Reply conflict = served.put("/v1/registry/bundles/chat-v1", other);
    assertThat(conflict.status()).isEqualTo(409);
    assertThat(conflict.json().at("/error/message").stringValue())
        .contains("type chat.Message version 1 tag 2");
    assertThat(served.put("/v1/registry/bundles/x", "{".getBytes(StandardCharsets.UTF_8)).status())
        .isEqualTo(422);
    assertThat(served.put("/v1/registry/bundles/x", new byte[5 << 20]).status()).isEqualTo(413);
  }

  @Test
  void typesAreListedWithVersionsAndRenderers() {
    publish();
    assertThat(served.get("/v1/registry/types").text())
        .isEqualTo(
            quoted(
                "{'types':[{'type_id':'chat.Call','latest_version':2,'bundle_id':'chat-v1'},"
                    + "{'type_id':'chat.Message','latest_version':1,'bundle_id':'chat-v1'}]}"));
    assertThat(served.get("/v1/registry/types/chat.Call/versions/1").text())
        .isEqualTo(quoted("{'fields':{'1':{'name':'name','type':'string'}}}"));
    assertThat(served.get("/v1/registry/types/chat.Call/versions/9").status()).isEqualTo(404);
    assertThat(served.get("/v1/registry/types/chat.Call/versions/x").status()).isEqualTo(422);
    assertThat(served.get("/v1/registry/renderers").text())
        .isEqualTo(
            quoted(
                "{'renderers':{'chat.Message':{'esm_url':'builtin:MessageRenderer',"
                    + "'component':'C','integrity':'sha384-x'}}}"));
  }

  @Test
  void postedJsonBecomesATypedPayloadAndComesBack() {
    publish();
    String context =
        "/v1/contexts/" + served.post("/v1/contexts", "").json().get("context_id").stringValue();
    Served.Reply appended =
        served.post(
            context + "/append",
            quoted(
                "{'type_id':'chat.Message','type_version':1,"
                    + "'data':{'text':'hi','role':'user','size':'18446744073709551615'}}"));
    assertThat(appended.status()).as(appended.text()).isEqualTo(201);
    JsonNode turn = served.get(context + "/turns").json().at("/turns/0");
    assertThat(turn.get("data").toString())
        .isEqualTo(quoted("{'role':'user','text':'hi','size':'18446744073709551615'}"));
    assertThat(served.get(context + "/turns?view=raw&bytes_render=hex").text())
        .contains("\"bytes_hex\":\"83010202a2686908cfffffffffffffffff\"");
    assertThat(
            served
                .post(
                    context + "/append",
                    quoted("{'type_id':'chat.Message','type_version':1,'data':{'text':'hi'}}"))
                .status())
        .isEqualTo(422);
    for (String wrong :
        new String[] {"view=all", "bytes_render=x", "type_hint_mode=explicit", "string_limit=-1"}) {
      assertThat(served.get(context + "/turns?" + wrong).status()).as(wrong).isEqualTo(422);
    }
  }

  @Test
  void contextsAreSearchedAndLinked() {
    served.post("/v1/contexts", "");
    String turn =
        "{'type_id':'t','type_version':1,'data':{'30':{'1':'kilroy/7','2':'A title',"
            + "'10':{'40':'svc'}}}}";
    served.post("/v1/contexts/1/append", quoted(turn));
    String head = served.get("/v1/contexts/1").json().get("head_turn_id").stringValue();
    served.post("/v1/contexts/fork", quoted("{'base_turn_id':'" + head + "'}"));

    JsonNode found =
        served
            .get("/v1/contexts/search?q=" + encoded("tag ^= \"kilroy/\" AND service='svc'"))
            .json();
    assertThat(found.get("total_count").intValue()).isEqualTo(2);
    assertThat(found.at("/contexts/0/context_id").stringValue()).isEqualTo("2");
    Served.Reply wrong = served.get("/v1/contexts/search?q=" + encoded("tag :"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().at("/position/column").intValue()).isEqualTo(5);
    assertThat(served.get("/v1/contexts/search").status()).isEqualTo(400);

    assertThat(
            served
                .get("/v1/contexts/1/children?u64_format=number")
                .json()
                .at("/children/0/context_id")
                .intValue())
        .isEqualTo(2);
    assertThat(
            served
                .get("/v1/contexts/1/provenance")
                .json()
                .at("/provenance/service_name")
                .stringValue())
        .isEqualTo("svc");
    assertThat(served.get("/v1/contexts/9/provenance").status()).isEqualTo(404);
    assertThat(
            served
                .get("/v1/contexts?include_provenance=1&tag=kilroy/7&limit=1")
                .json()
                .at("/contexts/0/title")
                .stringValue())
        .isEqualTo("A title");
    JsonNode plain = served.get("/v1/contexts?limit=1").json().at("/contexts/0");
    assertThat(plain.has("provenance")).isFalse();
    assertThat(plain.has("lineage")).isFalse();
    JsonNode both =
        served
            .get("/v1/contexts?limit=1&include_provenance=1&include_lineage=true")
            .json()
            .at("/contexts/0");
    assertThat(both.at("/provenance/service_name").stringValue()).isEqualTo("svc");
    assertThat(both.at("/lineage/parent_context_id").stringValue()).isEqualTo("1");
  }

  @Test
  void anAnswerIsWholeForClientsThatCloseTheirConnection() throws Exception {
    served.post("/v1/contexts", "");
    String large = "x".repeat(700_000);
    for (int i = 0; i < 3; i++) {
      served.post(
          "/v1/contexts/1/append",
          quoted("{'type_id':'t','type_version':1,'encoding':1,'data':{'a':'" + large + i + "'}}"));
    }
    for (String path : List.of("/v1/contexts", "/v1/contexts/1/turns?view=raw")) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      try (java.net.Socket socket = new java.net.Socket("127.0.0.1", served.port())) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        assertThat(answer)
            .as(path)
            .containsIgnoringCase("\r\nContent-Length: " + body.length() + "\r\n");
        assertThat(body).startsWith("{").endsWith("}");
      }
    }
  }

  @Test
  void theTagOfAClientThatSpeaksHttpIsKept() {
    served.send(
        "/v1/contexts",
        request ->
            request
                .header("X-CXDB-Client-Tag", "cxtx")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));

    assertThat(
            served.get("/v1/contexts?tag=cxtx").json().at("/contexts/0/client_tag").stringValue())
        .isEqualTo("cxtx");
    assertThat(
            served
                .get("/v1/contexts/search?q=" + encoded("tag = 'cxtx'"))
                .json()
                .get("total_count")
                .intValue())
        .isEqualTo(1);
  }

  @Test
  void filesAreServedByTheirPaths() {
    Payload content = Payload.utf8("<script>alert(1)</script>");
    TreeEntry file =
        new TreeEntry(
            "a b.html", TreeEntry.Kind.FILE, 0644, content.sizeBytes(), served.store.put(content));
    Tree sub = new Tree(List.of(file));
    Tree root =
        new Tree(
            List.of(
                new TreeEntry(
                    "d", TreeEntry.Kind.DIRECTORY, 0755, 0, served.store.put(sub.payload()))));
    served.post("/v1/contexts", "");
    served.post(
        "/v1/contexts/1/append",
        quoted(
            "{'type_id':'t','type_version':1,'data':{},'fs_root_hash':'"
                + served.store.put(root.payload())
                + "'}"));
    String turn = served.get("/v1/contexts/1").json().get("head_turn_id").stringValue();

    assertThat(served.get("/v1/turns/" + turn + "/fs").json().at("/entries/0/kind").stringValue())
        .isEqualTo("dir");
    Served.Reply read = served.get("/v1/turns/" + turn + "/fs/d/a%20b.html");
    assertThat(read.text()).isEqualTo(content.text());
    Served.Reply raw = served.get("/v1/turns/" + turn + "/fs/d/a%20b.html?format=raw");
    assertThat(raw.bytes()).isEqualTo(read.bytes());
    assertThat(raw.header("Content-Type")).isEqualTo(read.header("Content-Type"));
    assertThat(served.get("/v1/turns/" + turn + "/fs/d/a%20b.html?format=zip").status())
        .isEqualTo(422);
    assertThat(read.header("Content-Type")).startsWith("text/html");
    assertThat(read.header("Content-Security-Policy")).contains("sandbox");
    assertThat(read.header("X-Fs-Mode")).isEqualTo("644");
    assertThat(read.header("X-Fs-Hash")).isEqualTo(file.hash().toString());
    assertThat(served.get("/v1/turns/" + turn + "/fs/d").json().at("/entries/0/name").stringValue())
        .isEqualTo("a b.html");
    assertThat(
            served.get("/v1/turns/" + turn + "/fs?path=d").json().at("/entries/0/size").intValue())
        .isEqualTo(25);
    assertThat(
            served
                .get("/v1/turns/" + turn + "/fs/d/a%20b.html?format=json")
                .json()
                .get("content_base64")
                .stringValue())
        .isNotEmpty();
    assertThat(served.get("/v1/turns/" + turn + "/fs?recursive=1").json().get("entries").size())
        .isEqualTo(2);
    assertThat(served.get("/v1/turns/" + turn + "/fs?since=" + turn).json().get("changes").size())
        .isZero();
    assertThat(served.get("/v1/turns/" + turn + "/fs/no").status()).isEqualTo(404);
    assertThat(served.get("/v1/turns/" + turn + "/fs/d%2Fa%20b.html/..").status())
        .isGreaterThanOrEqualTo(400);
    assertThat(served.get("/v1/turns/" + turn + "/fs/").status()).isEqualTo(422);
    assertThat(served.get("/v1/turns/" + turn + "/fs?path=d/a%20b.html").status()).isEqualTo(422);
    assertThat(served.get("/v1/turns/999/fs").status()).isEqualTo(404);
  }
}
