// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.server.http.Served.Reply;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The workbench as a browser loads it, and the facts that only the workbench asks for. What the
/// page does with them is tested in a browser.
class WorkbenchTest extends ServiceFixture {

  private static final Pattern LINK =
      Pattern.compile("(?:src|href)=\"(ui/[^\"]+)\"|from '(\\.[^']+)'");

  private static final Pattern PRELOAD = Pattern.compile("rel=\"modulepreload\" href=\"([^\"]+)\"");

  private static final Pattern MAIN = Pattern.compile("\"(ui/v-[0-9a-f]{32}/)main\\.js\"");

  /// The links that a browser follows once the first view stands.
  private static final String LATER = "(?s)<template id=\"later\">.*</template>";

  /// A module that is waited for before anything is shown.
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .* from '(\\.[^']+)'");

  /// A module that is waited for, or read when its view is shown.
  private static final Pattern ANY_IMPORT =
      Pattern.compile("(?m)(?:^import .* from |await import\\()'(\\.[^']+)'");

  @Test
  void thePageAndEveryModuleItImportsAreServed() {
    Deque<String> waiting = new ArrayDeque<>(Set.of("/"));
    Set<String> seen = new LinkedHashSet<>(waiting);
    while (!waiting.isEmpty()) {
      String path = waiting.remove();
      Reply reply = served.get(path);
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(reply.header("Content-Type"))
          .startsWith(
              path.endsWith(".js")
                  ? "text/javascript"
                  : path.endsWith(".css")
                      ? "text/css"
                      : path.endsWith(".svg") ? "image/svg+xml" : "text/html");
      var links = LINK.matcher(reply.text());
      while (links.find()) {
        String target = links.group(1) != null ? links.group(1) : links.group(2);
        String full = URI.create(path).resolve(target).getPath();
        if (seen.add(full)) {
          waiting.add(full);
        }
      }
    }
    assertThat(seen).contains(ui("main.js"), ui("lib/marked.js"), ui("views/contexts.js"));
    assertThat(seen).allMatch(path -> path.equals("/") || path.startsWith(ui("")));
  }

  /// The path by which the page names a file.
  private String ui(String file) {
    var main = MAIN.matcher(served.get("/").text());
    assertThat(main.find()).isTrue();
    return "/" + main.group(1) + file;
  }

  /// A browser that learns of a module only from the module that imports it asks one round later.
  @Test
  void thePageAnnouncesEveryModule() {
    assertThat(announced(served.get("/").text())).isEqualTo(imported(ANY_IMPORT));
  }

  /// The first view stands once the modules are there that it needs; the files of other views must
  /// not come before them.
  @Test
  void thePageAsksForTheFilesOfTheFirstViewBeforeAllOthers() {
    String first = served.get("/").text().replaceFirst(LATER, "");
    assertThat(announced(first)).isEqualTo(imported(IMPORT)).hasSizeLessThan(21);
    assertThat(first).contains("style/base.css").doesNotContain("style/places.css");
  }

  private Set<String> announced(String page) {
    Set<String> announced = new TreeSet<>(Set.of(ui("main.js"), ui("data/request.js")));
    PRELOAD.matcher(page).results().forEach(m -> announced.add("/" + m.group(1)));
    return announced;
  }

  private Set<String> imported(Pattern statement) {
    Deque<String> waiting = new ArrayDeque<>(Set.of(ui("main.js")));
    Set<String> imported = new TreeSet<>(waiting);
    while (!waiting.isEmpty()) {
      String path = waiting.remove();
      statement
          .matcher(served.get(path).text())
          .results()
          .map(m -> URI.create(path).resolve(m.group(1)).getPath())
          .filter(imported::add)
          .forEach(waiting::add);
    }
    return imported;
  }

  /// The name changes with the content, so a browser need not ask again.
  @Test
  void aBrowserKeepsTheFilesOfThisVersionForGoodAndAsksAgainForThePage() {
    assertThat(served.get(ui("main.js")).header("Cache-Control"))
        .isEqualTo("public, max-age=31536000, immutable");
    String other = ui("main.js").replaceFirst("v-[0-9a-f]{32}", "v-" + "0".repeat(32));
    assertThat(served.get(other).header("Cache-Control")).isEqualTo("no-cache");
    assertThat(served.get(other).bytes()).isEqualTo(served.get(ui("main.js")).bytes());
    assertThat(served.get("/").header("Cache-Control")).isEqualTo("no-cache");
    assertThat(served.get(ui("v-" + "0".repeat(32) + "/main.js")).status()).isEqualTo(404);
  }

  @Test
  void aFileIsSentOnceToABrowserThatKeepsIt() {
    Reply first = served.get("/ui/main.js");
    Reply second = served.get("/ui/main.js", "If-None-Match", first.header("ETag"));

    assertThat(first.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(second.status()).isEqualTo(304);
    assertThat(second.bytes()).isEmpty();
    assertThat(served.get("/ui/main.js", "If-None-Match", "\"other\"").status()).isEqualTo(200);
  }

  @Test
  void thePolicyLetsTheOwnModulesRunAndNothingElse() {
    String policy = served.get("/").header("Content-Security-Policy");

    assertThat(policy)
        .contains("default-src 'none'", "script-src 'self';", "style-src 'self';")
        .contains("require-trusted-types-for 'script'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(served.get("/").text()).doesNotContain("<style", "style=", "http://", "https://");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/absent.js",
        "/ui/../pagefiles.js",
        "/ui/%2e%2e/PageFiles.class",
        "/ui/data%2fapi.js/x",
        "/ui/PageFiles.class",
        "/ui/main.js%00.css",
        "/ui//main.js",
        "/ui/"
      })
  void otherPathsAreNoFiles(String path) {
    assertThat(served.get(path).status()).isIn(400, 404);
  }

  @Test
  void turnsAreReadFromAnyDepth() {
    ContextId context = served.store.createContext().id();
    for (int i = 0; i < 5; i++) {
      served.post(
          "/v1/contexts/" + context + "/append",
          "{\"type_id\":\"note\",\"type_version\":1,\"encoding\":2,\"data\":{\"n\":" + i + "}}");
    }

    var page = served.get("/v1/contexts/" + context + "/turns?start_depth=3&limit=9").json();
    assertThat(page.get("turns")).hasSize(2);
    assertThat(page.at("/turns/0/data/n").intValue()).isEqualTo(3);
    assertThat(served.get("/v1/contexts/" + context + "/turns?start_depth=9").json().get("turns"))
        .isEmpty();
    assertThat(served.get("/v1/contexts/" + context + "/turns?start_depth=-1").status())
        .isEqualTo(422);
  }

  @Test
  void aContextNamesTheAgentAndTheProject() {
    String about = "{\"kind\":\"pi.branch\",\"cwd\":\"/src/shop/\",\"title\":\"x\"}";
    var hash = served.store.put(dev.varve.Payload.utf8(about));
    served.store.createContext(dev.varve.TurnId.NONE, hash);

    var entry = served.get("/v1/contexts").json().at("/contexts/0");
    assertThat(entry.get("agent").stringValue()).isEqualTo("pi");
    assertThat(entry.get("project").stringValue()).isEqualTo("shop");
    assertThat(entry.get("folder").stringValue()).isEqualTo("/src/shop/");
    assertThat(entry.has("last_turn_at_unix_ms")).isFalse();
  }

  private String appended(ContextId context, String text) {
    return served
        .post(
            "/v1/contexts/" + context + "/append",
            "{\"type_id\":\"note\",\"type_version\":1,\"encoding\":2,\"data\":\"" + text + "\"}")
        .json()
        .get("turn_id")
        .stringValue();
  }

  private ContextId fork(String turn) {
    return served.store.fork(dev.varve.TurnId.parse(turn)).id();
  }

  @Test
  void theTreeHasTheTurnsAtWhichPathsPart() {
    ContextId first = served.store.createContext().id();
    String root = appended(first, "root");
    appended(first, "a");
    String parting = appended(first, "b");
    String end = appended(first, "c");
    ContextId other = fork(parting);
    appended(other, "d");
    String otherEnd = appended(other, "e");
    ContextId same = fork(parting);

    for (ContextId asked : List.of(first, other, same)) {
      var tree = served.get("/v1/contexts/" + asked + "/tree").json();
      List<String> knots = new ArrayList<>();
      tree.get("knots")
          .forEach(
              knot ->
                  knots.add(
                      knot.get("turn_id").stringValue()
                          + " after "
                          + (knot.get("parent_turn_id").isNull()
                              ? "nothing"
                              : knot.get("parent_turn_id").stringValue())
                          + ": "
                          + knot.get("turns").intValue()
                          + " of "
                          + knot.get("context_ids").size()));
      assertThat(knots)
          .containsExactlyInAnyOrder(
              root + " after nothing: 1 of 0",
              parting + " after " + root + ": 2 of 1",
              end + " after " + parting + ": 1 of 1",
              otherEnd + " after " + parting + ": 2 of 1");
      assertThat(tree.get("contexts")).hasSize(3);
      assertThat(tree.get("incomplete").booleanValue()).isFalse();
    }
  }

  @Test
  void aComparisonNamesTheTurnAfterWhichContextsPart() {
    ContextId first = served.store.createContext().id();
    String shared = appended(first, "a");
    appended(first, "b");
    ContextId other = fork(shared);
    appended(other, "c");
    ContextId empty = served.store.createContext().id();

    var found = served.get("/v1/contexts/" + first + "/comparison?with=" + other).json();
    assertThat(found.get("common_turn_id").stringValue()).isEqualTo(shared);
    assertThat(found.get("common_depth").intValue()).isZero();
    var none = served.get("/v1/contexts/" + first + "/comparison?with=" + empty).json();
    assertThat(none.get("common_turn_id").isNull()).isTrue();
    assertThat(none.get("common_depth").intValue()).isEqualTo(-1);
    assertThat(served.get("/v1/contexts/" + first + "/comparison").status()).isEqualTo(422);
    assertThat(served.get("/v1/contexts/999/tree").status()).isEqualTo(404);
  }
}
