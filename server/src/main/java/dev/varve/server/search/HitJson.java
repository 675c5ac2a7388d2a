// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.search;

import dev.varve.search.ContextFacts;
import dev.varve.search.LaterSteps;
import dev.varve.search.SearchHit;
import dev.varve.search.SearchPage;
import dev.varve.search.Snippet;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers of the search as JSON.
public final class HitJson {

  /// The most characters of a text that an agent is given.
  private static final int TEXT_CHARS_MAX = 2000;

  private HitJson() {}

  /// The hits of a page.
  ///
  /// @param wholeTexts whether to give each text in place of its snippet
  public static ObjectNode page(SearchPage page, boolean wholeTexts) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode hits = answer.putArray("hits");
    page.hits().forEach(hit -> hits.add(hit(hit, wholeTexts)));
    answer.put("total_count", page.total());
    if (page.next() != null) {
      answer.put("next_cursor", page.next());
    }
    answer.put("turns_indexed", page.coverage().turns());
    answer.put("turns", page.coverage().turnsAll());
    return answer;
  }

  /// A hit.
  public static ObjectNode hit(SearchHit hit, boolean wholeText) {
    SearchHit.Place place = hit.place();
    ContextFacts facts = place.facts();
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("context_id", place.context().toString());
    if (!place.turn().isNone()) {
      object.put("turn_id", place.turn().toString());
    }
    object.put("kind", hit.text().kind().word());
    put(object, "agent", facts.agent());
    put(object, "project", facts.project());
    put(object, "title", facts.title());
    put(object, "tool", hit.text().tool());
    put(object, "path", hit.text().path());
    if (hit.text().exit() != null) {
      object.put("exit", hit.text().exit());
    }
    object.put("created_at_unix_ms", place.at().toEpochMilli());
    if (place.payload() != null) {
      object.put("content_hash", place.payload().toString());
    }
    object.put("branches", hit.branches());
    if (wholeText) {
      object.put("text", cut(hit.text().text()));
    } else {
      snippet(object, hit.snippet());
    }
    return object;
  }

  private static void snippet(ObjectNode object, Snippet snippet) {
    object.put("snippet", wellFormed(snippet.text()));
    ArrayNode marks = object.putArray("marks");
    for (Snippet.Mark mark : snippet.marks()) {
      marks.addObject().put("from", mark.from()).put("to", mark.to());
    }
  }

  /// Adds the commands that followed a hit.
  public static void steps(ObjectNode hit, List<LaterSteps.Step> steps) {
    ArrayNode array = hit.putArray("then");
    for (LaterSteps.Step step : steps) {
      ObjectNode object = array.addObject().put("turn_id", step.turn().toString());
      object.put("tool", wellFormed(step.tool())).put("command", cut(step.command()));
      if (step.exit() != null) {
        object.put("exit", step.exit());
      }
    }
  }

  private static void put(ObjectNode object, String name, String text) {
    if (!text.isEmpty()) {
      object.put(name, wellFormed(text));
    }
  }

  private static String cut(String text) {
    return wellFormed(
        text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX) + "…");
  }

  /// A lone surrogate has no UTF-8.
  private static String wellFormed(String text) {
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.getType(c) == Character.SURROGATE ? 0xFFFD : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }
}
