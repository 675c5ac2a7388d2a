// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.Utf8;
import dev.varve.jp.place.Copy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// A conversation as text, payloads in their places: the same text whether they are in the file or
/// beside it.
///
/// Contents are loaded one after the other, each when its turn has come.
public final class Transcript {

  private final JsonText text;
  private final Content.Source source;
  private final Consumer<? super String> out;
  private final int linesMax;
  private final Map<String, List<Site>> sites = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int turn;

  private Transcript(
      JsonText text, Content.Source source, int linesMax, Consumer<? super String> out) {
    this.text = text;
    this.source = source;
    this.linesMax = linesMax;
    this.out = out;
    for (Site site : PayloadSites.in(text).sites()) {
      String event = site.pointer().substring(1, site.pointer().indexOf('/', 1));
      sites.computeIfAbsent(event, _ -> new ArrayList<>()).add(site);
    }
  }

  /// Writes a conversation, from turn `firstTurn` on.
  ///
  /// @param linesMax how many lines of each payload
  /// @param out takes pieces of text that end with a line end
  /// @return what could not be shown
  /// @throws StoreException.Invalid if `events.json` is not JSON
  public static List<String> write(
      Copy copy, Content.Source source, int lastTurns, int linesMax, Consumer<? super String> out) {
    try {
      JsonText text = EventsFile.read(copy).text();
      Transcript transcript = new Transcript(text, source, linesMax, out);
      transcript.events(Math.max(1, transcript.turns() - Math.min(lastTurns, 1 << 30) + 1));
      return transcript.problems;
    } catch (EventsFile.NotJson e) {
      throw new StoreException.Invalid(copy.events().toString(), e.malformed().toString());
    }
  }

  private String type(int event) {
    return text.memberText(event, "type").orElse("");
  }

  private int turns() {
    int[] turns = {0};
    if (text.is(0, JsonKind.ARRAY)) {
      text.each(0, event -> turns[0] += type(event).equals("turn_start") ? 1 : 0);
    }
    return turns[0];
  }

  private void events(int firstTurn) {
    if (!text.is(0, JsonKind.ARRAY)) {
      return;
    }
    int[] index = {0};
    text.each(
        0,
        event -> {
          turn += type(event).equals("turn_start") ? 1 : 0;
          if (turn >= firstTurn || firstTurn == 1) {
            event(event, sites.getOrDefault(Integer.toString(index[0]), List.of()));
          }
          index[0]++;
        });
  }

  private void event(int event, List<Site> payloads) {
    switch (type(event)) {
      case "turn_start" -> out.accept("# Turn " + turn + "\n\n");
      case "chat_request" -> {
        head("User", event);
        string(event, "content");
        payloads.forEach(this::resource);
      }
      case "chat_response" -> {
        if (text.member(event, "reasoning").isPresent()) {
          head("Assistant, thinking", event);
          string(event, "reasoning");
        } else {
          head("Assistant", event);
          string(event, "message");
          text.member(event, "data").ifPresent(data -> fence(text.spelling(data)));
        }
      }
      case "tool_call_request" -> {
        head("Tool call: " + text.memberText(event, "name").orElse("?"), event);
        text.member(event, "arguments").ifPresent(this::arguments);
      }
      case "tool_call_response" -> {
        OptionalInt error = text.member(event, "is_error");
        boolean failed = error.isPresent() && text.is(error.getAsInt(), JsonKind.TRUE);
        head(failed ? "Tool error" : "Tool result", event);
        payloads.forEach(this::result);
      }
      case "inquiry_request" -> {
        head("Question", event);
        text.member(event, "question")
            .ifPresent(question -> text.memberText(question, "text").ifPresent(this::paragraph));
      }
      case "inquiry_response" -> {
        head("Answer", event);
        text.member(event, "answer").ifPresent(answer -> paragraph(text.spelling(answer)));
      }
      default -> {
        // Configuration, compaction, and what is not known yet: nothing that was said.
      }
    }
  }

  private void head(String who, int event) {
    out.accept(
        "## " + who + "  (" + text.memberText(event, "timestamp").orElse("no time") + ")\n\n");
  }

  private void string(int event, String name) {
    text.memberText(event, name).ifPresent(this::paragraph);
  }

  private void paragraph(String words) {
    out.accept(words.stripTrailing() + "\n\n");
  }

  /// Arguments as JP decodes them: each string by itself.
  private void arguments(int object) {
    StringBuilder lines = new StringBuilder();
    if (text.is(object, JsonKind.OBJECT)) {
      text.each(
          object,
          value ->
              lines.append(text.name(value)).append(": ").append(argument(value)).append('\n'));
    }
    if (!lines.isEmpty()) {
      fence(lines.toString());
    }
  }

  private String argument(int value) {
    Optional<String> string = text.text(value);
    return string
        .flatMap(stored -> FlatText.read(stored, ""))
        .flatMap(read -> new Utf8(read.content()).text())
        .orElseGet(() -> text.spelling(value));
  }

  private void resource(Site site) {
    int holder = site.shape() == Site.Shape.BARE ? site.container() : text.parent(site.container());
    String uri = holder < 0 ? "" : text.memberText(holder, "uri").orElse("");
    String type = site.mimeType().isEmpty() ? "" : " (" + site.mimeType() + ")";
    out.accept("Attached: " + uri + type + "\n\n");
    fence(words(site));
  }

  private void result(Site site) {
    if (site.block() < 0 && site.shape() != Site.Shape.FLAT) {
      resource(site);
    } else {
      fence(words(site));
    }
  }

  private String words(Site site) {
    try {
      byte[] content = site.content().resolve(source);
      return new Utf8(content).text().orElseGet(() -> "(binary, " + content.length + " bytes)");
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      problems.add("events.json:" + text.position(site.value()) + ": " + e.getMessage());
      String kind = e instanceof StoreException.NotFound ? "missing" : "cannot be read";
      Content content = site.content();
      return "(blob " + content.hash() + ", " + content.sizeBytes() + " bytes: " + kind + ")";
    }
  }

  private static int longestRun(String words) {
    int longest = 0;
    int run = 0;
    for (int i = 0; i < words.length(); i++) {
      run = words.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  /// Text as it is, between fences longer than any in it.
  private void fence(String words) {
    List<String> lines = words.lines().toList();
    String fence = "`".repeat(Math.max(3, longestRun(words) + 1));
    StringBuilder shown = new StringBuilder(fence).append('\n');
    for (String line : lines.subList(0, Math.min(lines.size(), linesMax))) {
      shown.append(line).append('\n');
    }
    shown.append(fence).append('\n');
    if (lines.size() > linesMax) {
      shown.append("(").append(lines.size() - linesMax).append(" more lines)\n");
    }
    out.accept(shown.append('\n').toString());
  }
}
