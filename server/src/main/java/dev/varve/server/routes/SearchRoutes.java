// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.StoreException;
import dev.varve.search.LaterSteps;
import dev.varve.search.SearchHit;
import dev.varve.search.SearchPage;
import dev.varve.search.SearchRequest;
import dev.varve.search.query.PlainQuestion;
import dev.varve.search.query.SearchField;
import dev.varve.search.query.SearchParser;
import dev.varve.search.query.SearchQuery;
import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.text.TextKind;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.Route;
import dev.varve.server.search.HitJson;
import dev.varve.server.search.LiveSearch;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes that find turns by their words.
record SearchRoutes(HttpService service) {

  private static final int LIMIT = 20;
  private static final int AGENT_LIMIT = 8;

  private static final Route.Param AGENT =
      new Route.Param("agent", "string", "only in conversations of this agent");
  private static final Route.Param PROJECT =
      new Route.Param("project", "string", "only of this project: the name of its folder");
  private static final Route.Param SINCE =
      new Route.Param("since", "string", "only from then on: 12h, 7d, 2026-11-27");
  private static final Route.Param UNTIL = new Route.Param("until", "string", "only before then");
  private static final Route.Param COUNT =
      new Route.Param("limit", "integer", "how many texts, at most 200");

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/search",
            Route.Doc.of("searchTurns", "The turns that a query finds, the best first.")
                .params(
                    new Route.Param("q", "string", "the query: words and filters"),
                    AGENT,
                    PROJECT,
                    SINCE,
                    UNTIL,
                    COUNT,
                    new Route.Param("cursor", "string", "only those behind an earlier answer"))
                .gives("FoundTurns"),
            request -> find(request, query(request), LIMIT, false)),
        question("recall", "recallTurns", "What was said about a question.", this::recall),
        question("fix", "fixTurns", "What was run after an error, and then worked.", this::fix),
        question("how", "howTurns", "Commands that worked, for a task.", this::how));
  }

  private static Route question(String name, String id, String summary, Route.Handler handler) {
    return Route.get(
        "/v1/search/" + name,
        Route.Doc.of(id, summary)
            .params(
                new Route.Param("q", "string", "plain words"), AGENT, PROJECT, SINCE, UNTIL, COUNT)
            .gives("FoundTurns"),
        handler);
  }

  private HttpAnswer recall(HttpRequest request) {
    List<TextKind> kinds = List.of(TextKind.PROMPT, TextKind.ANSWER, TextKind.TITLE, TextKind.TEXT);
    return find(request, question(request, kinds, List.of()), AGENT_LIMIT, true);
  }

  private HttpAnswer how(HttpRequest request) {
    Filter worked = new Filter(SearchField.EXIT, "0", false, 1);
    SearchQuery query = question(request, List.of(TextKind.COMMAND), List.of(worked));
    return find(request, query, AGENT_LIMIT, true);
  }

  private HttpAnswer fix(HttpRequest request) {
    Filter failed = new Filter(SearchField.EXIT, "!0", false, 1);
    SearchQuery query = question(request, List.of(TextKind.OUTPUT), List.of(failed));
    SearchPage page = page(request, query, AGENT_LIMIT);
    ObjectNode answer = HitJson.page(page, true);
    ArrayNode hits = answer.putArray("hits");
    LaterSteps later = new LaterSteps(service.store());
    for (SearchHit hit : page.hits()) {
      ObjectNode object = HitJson.hit(hit, true);
      HitJson.steps(object, later.after(hit));
      hits.add(object);
    }
    return HttpAnswer.json(answer);
  }

  private HttpAnswer find(HttpRequest request, SearchQuery query, int limit, boolean wholeTexts) {
    return HttpAnswer.json(HitJson.page(page(request, query, limit), wholeTexts));
  }

  private SearchPage page(HttpRequest request, SearchQuery query, int limit) {
    LiveSearch search = service.views().search();
    if (search == null) {
      throw new StoreException.NotFound("search", "the index of this service");
    }
    return search.search(
        new SearchRequest(
            query,
            Math.max(1, request.limit("limit", limit, SearchRequest.LIMIT_MAX)),
            request.query("cursor").orElse(null),
            service.clock().instant(),
            ZoneOffset.UTC));
  }

  private static SearchQuery query(HttpRequest request) {
    String text = request.query("q").orElse("");
    List<Filter> given = filters(request);
    if (text.isBlank() && !given.isEmpty()) {
      return new SearchQuery(new SearchQuery.Words.Everything(), given);
    }
    SearchQuery query = SearchParser.parse(text);
    given.addAll(query.filters());
    return new SearchQuery(query.words(), given);
  }

  private static SearchQuery question(
      HttpRequest request, List<TextKind> kinds, List<Filter> more) {
    String text =
        request.query("q").orElseThrow(() -> HttpRefusal.invalid("q: expected, and not there"));
    List<Filter> filters = filters(request);
    filters.addAll(more);
    return PlainQuestion.of(text, kinds, filters);
  }

  private static List<Filter> filters(HttpRequest request) {
    List<Filter> filters = new ArrayList<>();
    for (SearchField field :
        List.of(SearchField.AGENT, SearchField.PROJECT, SearchField.SINCE, SearchField.UNTIL)) {
      request
          .query(field.word())
          .filter(value -> !value.isEmpty())
          .ifPresent(value -> filters.add(new Filter(field, value, false, 1)));
    }
    return filters;
  }
}
