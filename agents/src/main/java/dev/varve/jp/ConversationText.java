// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.ContentSink;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// A conversation as text, payloads in their places: the same text whether they are in the file or
/// beside it.
///
/// Payloads pass through in pieces, one after the other: of memory they take a few buffers. A
/// payload or a text that cannot be shown is named in its place, and reported as a problem.
public final class ConversationText {

  private final JsonText text;
  private final BlobContent.Source source;
  private final Consumer<? super String> out;
  private final TextFence fence;
  private final Map<String, List<PayloadSite>> sites = new HashMap<>();
  private final Map<String, List<EventProblem>> faults = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int turn;

  private ConversationText(
      JsonText text, BlobContent.Source source, int linesMax, Consumer<? super String> out) {
    this.text = text;
    this.source = source;
    this.out = out;
    this.fence = new TextFence(linesMax, out);
    PayloadSites.Found found = PayloadSites.in(text);
    for (PayloadSite site : found.sites()) {
      sites.computeIfAbsent(event(site.pointer()), _ -> new ArrayList<>()).add(site);
    }
    for (EventProblem problem : found.problems()) {
      faults.computeIfAbsent(event(problem.pointer()), _ -> new ArrayList<>()).add(problem);
    }
  }

  /// The first step of a pointer: the number of its event.
  private static String event(String pointer) {
    int end = pointer.indexOf('/', 1);
    return pointer.isEmpty() ? "" : pointer.substring(1, end < 0 ? pointer.length() : end);
  }

  /// Writes a conversation, from turn `firstTurn` on.
  ///
  /// @param linesMax how many lines of each payload
  /// @param out takes pieces of text, cut anywhere between two characters
  /// @return what could not be shown
  /// @throws StoreException.Invalid if `events.json` is not JSON, or no array of events
  public static List<String> write(
      ConversationCopy copy,
      BlobContent.Source source,
      int lastTurns,
      int linesMax,
      Consumer<? super String> out) {
    try {
      JsonText text = EventsFile.read(copy).text();
      if (!text.is(0, JsonKind.ARRAY)) {
        throw new StoreException.Invalid(
            copy.events().toString(), "expected an array of events, found " + text.kind(0).words());
      }
      ConversationText transcript = new ConversationText(text, source, linesMax, out);
      transcript.events(Math.max(1, transcript.turns() - Math.min(lastTurns, 1 << 30) + 1));
      return transcript.problems;
    } catch (EventsFile.NotJson e) {
      throw new StoreException.Invalid(copy.events().toString(), e.error().toString());
    }
  }

  private String type(int event) {
    return text.memberText(event, "type").orElse("");
  }

  private int turns() {
    int[] turns = {0};
    text.each(0, event -> turns[0] += type(event).equals("turn_start") ? 1 : 0);
    return turns[0];
  }

  private void events(int firstTurn) {
    int[] index = {0};
    text.each(
        0,
        event -> {
          turn += type(event).equals("turn_start") ? 1 : 0;
          if (turn >= firstTurn || firstTurn == 1) {
            String number = Integer.toString(index[0]);
            event(event, sites.getOrDefault(number, List.of()));
            faults.getOrDefault(number, List.of()).forEach(this::fault);
          }
          index[0]++;
        });
  }

  private void event(int event, List<PayloadSite> payloads) {
    if (!text.is(event, JsonKind.OBJECT)) {
      problem(event, "expected an event, found " + text.kind(event).words());
    }
    switch (type(event)) {
      case "turn_start" -> out.accept("# Turn " + turn + "\n\n");
      case "chat_request" -> {
        head("User", event);
        words(event, "content");
        payloads.forEach(this::resource);
      }
      case "chat_response" -> response(event);
      case "tool_call_request" -> {
        head("Tool call: " + text.memberText(event, "name").orElse("?"), event);
        text.member(event, "arguments").ifPresent(this::arguments);
      }
      case "tool_call_response" -> {
        OptionalInt error = text.member(event, "is_error");
        boolean failed = error.isPresent() && text.is(error.getAsInt(), JsonKind.TRUE);
        head(failed ? "Tool error" : "Tool result", event);
        payloads.forEach(this::result);
        unknownBlocks(event);
      }
      case "inquiry_request" -> {
        head("Question", event);
        text.member(event, "question").ifPresent(question -> words(question, "text"));
      }
      case "inquiry_response" -> {
        head("Answer", event);
        text.member(event, "answer")
            .ifPresent(answer -> out.accept(text.spelling(answer) + "\n\n"));
      }
      default -> {
        // Configuration, compaction, and what is not known yet: nothing that was said.
      }
    }
  }

  private void response(int event) {
    if (text.member(event, "reasoning").isPresent()) {
      head("Assistant, thinking", event);
      words(event, "reasoning");
      return;
    }
    head("Assistant", event);
    OptionalInt data = text.member(event, "data");
    if (data.isEmpty() || text.member(event, "message").isPresent()) {
      words(event, "message");
    }
    data.ifPresent(value -> fence.write(sink -> spelling(value, sink)));
  }

  /// Blocks of a tool's response that are neither text nor resource: named, for they were said.
  private void unknownBlocks(int event) {
    OptionalInt content = text.member(event, "content");
    if (content.isPresent() && text.is(content.getAsInt(), JsonKind.ARRAY)) {
      text.each(
          content.getAsInt(),
          block -> {
            String type = type(block);
            if (!type.equals("text") && !type.equals("resource")) {
              out.accept("(a block of the type '" + type + "', not shown)\n\n");
            }
          });
    }
  }

  private void head(String who, int event) {
    out.accept(
        "## " + who + "  (" + text.memberText(event, "timestamp").orElse("no time") + ")\n\n");
  }

  /// The text of a member that must be there, without white space at its end.
  private void words(int object, String name) {
    OptionalInt member = text.member(object, name);
    if (member.isEmpty() || !text.is(member.getAsInt(), JsonKind.STRING)) {
      int value = member.orElse(object);
      String found = member.isEmpty() ? "nothing" : text.kind(value).words();
      problem(value, "expected a string '" + name + "', found " + found);
      return;
    }
    StringBuilder space = new StringBuilder();
    PayloadInput in = new PayloadInput(text, member.getAsInt());
    TextPieces pieces = new TextPieces(piece -> withoutSpaceAtEnd(piece, space));
    FlatText.decode(in, FlatText.Spelling.PLAIN, pieces);
    pieces.end();
    out.accept("\n\n");
    if (in.hasLoneSurrogate()) {
      problem(member.getAsInt(), "half of a surrogate pair: shown as U+FFFD");
    }
  }

  /// Writes a piece up to its last character that is no white space, behind what was held back of
  /// the pieces before; holds the rest back.
  private void withoutSpaceAtEnd(CharBuffer piece, StringBuilder space) {
    String words = piece.toString();
    String shown = words.stripTrailing();
    if (!shown.isEmpty()) {
      out.accept(space + shown);
      space.setLength(0);
    }
    space.append(words, shown.length(), words.length());
  }

  /// Arguments as JP decodes them: each string by itself.
  private void arguments(int object) {
    if (!text.is(object, JsonKind.OBJECT)) {
      fence.write(sink -> spelling(object, sink));
    } else if (text.count(object) > 0) {
      fence.write(
          sink ->
              text.each(
                  object,
                  value -> {
                    take(text.name(value) + ": ", sink);
                    argument(value, sink);
                    take("\n", sink);
                  }));
    }
  }

  private void argument(int value, ContentSink sink) {
    long sizeBytes = text.is(value, JsonKind.STRING) ? PayloadInput.sizeBytes(text, value) : -1;
    if (sizeBytes < 0) {
      spelling(value, sink);
      return;
    }
    FlatText.Found found = FlatText.find(() -> new PayloadInput(text, value), sizeBytes, "");
    FlatText.decode(new PayloadInput(text, value), found.spelling(), sink);
  }

  /// Hands out a value as it stands in the file.
  private void spelling(int value, ContentSink sink) {
    byte[] piece = new byte[8192];
    for (int at = text.from(value); at < text.to(value); at += piece.length) {
      int size = Math.min(piece.length, text.to(value) - at);
      System.arraycopy(text.bytes(), at, piece, 0, size);
      sink.take(piece, size);
    }
  }

  private static void take(String words, ContentSink sink) {
    byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
    sink.take(bytes, bytes.length);
  }

  private void resource(PayloadSite site) {
    int holder =
        site.shape() == PayloadSite.Shape.BARE ? site.container() : text.parent(site.container());
    String uri = holder < 0 ? "" : text.memberText(holder, "uri").orElse("");
    String type = site.mimeType().isEmpty() ? "" : " (" + site.mimeType() + ")";
    out.accept("Attached: " + uri + type + "\n\n");
    payload(site);
  }

  private void result(PayloadSite site) {
    if (site.block() < 0 && site.shape() != PayloadSite.Shape.FLAT) {
      resource(site);
    } else {
      payload(site);
    }
  }

  private void payload(PayloadSite site) {
    BlobContent content = site.content();
    try {
      fence.write(sink -> content.stream(source, sink));
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      report(site.value(), String.valueOf(e.getMessage()));
      String kind = e instanceof StoreException.NotFound ? "missing" : "cannot be read";
      String words =
          "(blob " + content.hash() + ", " + content.sizeBytes() + " bytes: " + kind + ")";
      out.accept("```\n" + words + "\n```\n\n");
    }
  }

  private void problem(int value, String what) {
    report(value, what);
    out.accept("(" + what + ")\n\n");
  }

  private void report(int value, String what) {
    problems.add("events.json:" + text.position(value) + ": " + what);
  }

  private void fault(EventProblem problem) {
    problems.add("events.json:" + problem);
    out.accept("(" + problem.what() + ")\n\n");
  }
}
