// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.search;

import dev.varve.ContextId;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.StyledLine.Style;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.search.ContextFacts;
import dev.varve.search.SearchHit;
import dev.varve.search.SearchPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The output of hits: for people by conversation, for programs one JSON object a line.
final class SearchOutput {

  private static final int INDENT = 4;
  private static final int NAME_COLUMNS = 14;

  private SearchOutput() {}

  static void print(SearchPage page, Terminal terminal) {
    Map<ContextId, List<SearchHit>> groups = new LinkedHashMap<>();
    page.hits()
        .forEach(
            hit -> groups.computeIfAbsent(hit.place().context(), _ -> new ArrayList<>()).add(hit));
    boolean first = true;
    for (List<SearchHit> group : groups.values()) {
      if (!first) {
        terminal.println("");
      }
      first = false;
      heading(group.getFirst().place(), terminal);
      group.forEach(hit -> hit(hit, terminal));
    }
  }

  private static void heading(SearchHit.Place place, Terminal terminal) {
    ContextFacts facts = place.facts();
    StyledLine line = new StyledLine().add(Style.BOLD, "context " + place.context());
    for (String name : List.of(facts.agent(), facts.project())) {
      if (!name.isEmpty()) {
        line.add("  ").add(Style.FAINT, SafeText.cut(SafeText.line(name), NAME_COLUMNS));
      }
    }
    int left = terminal.columns() - line.columns() - 2;
    if (!facts.title().isEmpty() && left > 0) {
      line.add("  ").add(SafeText.cut(SafeText.line(facts.title()), left));
    }
    terminal.println(line);
  }

  private static void hit(SearchHit hit, Terminal terminal) {
    Instant now = terminal.clock().instant();
    StyledLine line = new StyledLine().add("  ");
    if (!hit.place().turn().isNone()) {
      line.add(Style.CYAN, "turn " + hit.place().turn()).add("  ");
    }
    line.add(hit.text().kind().word()).add("  " + HumanText.age(hit.place().at(), now));
    if (!hit.text().tool().isEmpty()) {
      line.add("  " + SafeText.cut(SafeText.line(hit.text().tool()), NAME_COLUMNS));
    }
    Integer exit = hit.text().exit();
    if (exit != null && exit != 0) {
      line.add("  ").add(Style.RED, "exit " + exit);
    }
    if (hit.branches() > 1) {
      line.add(Style.FAINT, "  and in " + HumanText.count(hit.branches() - 1L, "branch"));
    }
    terminal.println(line);
    new SnippetLines(hit.snippet(), terminal.columns() - INDENT, " ".repeat(INDENT))
        .each(terminal::println);
  }

  static void json(SearchPage page, Terminal terminal) {
    for (SearchHit hit : page.hits()) {
      SearchHit.Place place = hit.place();
      Integer exit = hit.text().exit();
      new JsonLine()
          .id("context", place.context())
          .text("turn", place.turn().isNone() ? null : place.turn().toString())
          .text("kind", hit.text().kind().word())
          .text("agent", place.facts().agent())
          .text("project", place.facts().project())
          .text("title", place.facts().title())
          .text("tool", hit.text().tool())
          .text("path", hit.text().path())
          .numberOrNull("exit", exit == null ? null : Long.valueOf(exit))
          .time("at", place.at())
          .hash("payload_hash", place.payload())
          .number("branches", hit.branches())
          .text("snippet", hit.snippet().text())
          .objects(
              "marks",
              hit.snippet().marks(),
              (line, mark) -> line.number("from", mark.from()).number("to", mark.to()))
          .print(terminal);
    }
    new JsonLine()
        .number("total", page.total())
        .text("cursor", page.next())
        .number("turns_indexed", page.coverage().turns())
        .number("turns", page.coverage().turnsAll())
        .print(terminal);
  }
}
