// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.Malformed;
import dev.varve.jp.place.Copy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// What JP as released does with a conversation's files. Known from its source of August 2026: its sanitizer looks at every
/// conversation at each start, its reader is serde's.
public final class StockJp {

  /// From best to worst.
  public enum Verdict {
    /// Reads it, and writes it again without loss.
    READS,
    /// Reads it, and loses something when it next writes it, or shows something otherwise than it is meant.
    LOSES,
    /// Says that its events are not found; leaves the files where they are.
    UNREADABLE,
    /// Moves it to its trash at the next start.
    TRASHES
  }

  /// @param reasons in the order of the files, each with its place
  public record Opinion(Copy copy, Verdict verdict, List<String> reasons) {
    public Opinion {
      reasons = List.copyOf(reasons);
    }
  }

  /// serde_json's bound.
  private static final int DEPTH_MAX = 127;

  private static final int SMALL_BYTES_MAX = 16 << 20;

  private final Copy copy;
  private final List<String> reasons = new ArrayList<>();
  private Verdict verdict = Verdict.READS;

  private StockJp(Copy copy) {
    this.copy = copy;
  }

  public static Opinion of(Copy copy) {
    StockJp jp = new StockJp(copy);
    jp.side(copy.metadata(), true);
    jp.side(copy.baseConfig(), false);
    jp.events();
    // What lies in the archive is not looked at before it comes back.
    Verdict verdict =
        jp.verdict == Verdict.TRASHES && copy.partition() != Copy.Partition.LIVE
            ? Verdict.UNREADABLE
            : jp.verdict;
    return new Opinion(copy, verdict, jp.reasons);
  }

  private void say(Verdict worse, String reason) {
    verdict = worse.compareTo(verdict) > 0 ? worse : verdict;
    reasons.add(reason);
  }

  private void side(Path file, boolean required) {
    try {
      if (!RealFiles.isFile(file)) {
        if (required) {
          say(Verdict.TRASHES, file.getFileName() + ": absent");
        }
        return;
      }
      if (JsonReading.of(RealFiles.read(file, SMALL_BYTES_MAX)) instanceof Malformed malformed) {
        say(Verdict.TRASHES, file.getFileName() + ":" + malformed);
      }
    } catch (StoreException e) {
      say(Verdict.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  private void events() {
    try {
      JsonText text = EventsFile.read(copy).text();
      if (!text.is(0, JsonKind.ARRAY)) {
        say(Verdict.TRASHES, "events.json:1:1: expected an array");
        return;
      }
      serde(text);
      text.each(0, event -> event(text, event));
      for (Site site : PayloadSites.in(text).sites()) {
        if (site.isUrlSafe()) {
          say(Verdict.LOSES, at(text, site.value()) + "URL-safe base64: shown undecoded");
        }
      }
    } catch (EventsFile.NotJson e) {
      say(Verdict.TRASHES, "events.json:" + e.malformed());
    } catch (StoreException.NotFound e) {
      say(Verdict.TRASHES, "events.json: absent");
    } catch (StoreException e) {
      say(Verdict.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  private static String at(JsonText text, int value) {
    return "events.json:" + text.position(value) + ": ";
  }

  /// What is JSON and yet not what serde reads.
  private void serde(JsonText text) {
    int[] depth = new int[text.size()];
    for (int value = 0; value < text.size(); value++) {
      int parent = text.parent(value);
      depth[value] = parent < 0 ? 1 : depth[parent] + 1;
      String wrong = "";
      if (depth[value] > DEPTH_MAX) {
        wrong = "more than " + DEPTH_MAX + " levels";
      } else if (text.is(value, JsonKind.STRING) && text.text(value).isEmpty()) {
        wrong = "half of a surrogate pair";
      } else if (text.is(value, JsonKind.NUMBER)
          && Double.isInfinite(Double.parseDouble(text.spelling(value)))) {
        wrong = "a number out of range";
      }
      if (!wrong.isEmpty()) {
        say(Verdict.TRASHES, at(text, value) + wrong);
        return;
      }
    }
  }

  private void event(JsonText text, int event) {
    if (text.memberText(event, "timestamp").isEmpty() || text.memberText(event, "type").isEmpty()) {
      say(Verdict.TRASHES, at(text, event) + "an event without timestamp or type");
      return;
    }
    switch (text.memberText(event, "type").orElseThrow()) {
      case "chat_request" -> {
        demand(text, event, "content", JsonKind.STRING);
        OptionalInt resources = text.member(event, "resources");
        if (resources.isPresent()) {
          say(
              Verdict.LOSES,
              at(text, resources.getAsInt()) + "resources: dropped when JP next writes");
        }
      }
      case "chat_response" -> {
        long parts =
            List.of("message", "reasoning", "data").stream()
                .filter(name -> text.member(event, name).isPresent())
                .count();
        if (parts != 1) {
          say(Verdict.UNREADABLE, at(text, event) + "not one of message, reasoning, data");
        }
      }
      case "tool_call_request" -> {
        demand(text, event, "id", JsonKind.STRING);
        demand(text, event, "name", JsonKind.STRING);
      }
      case "tool_call_response" -> {
        demand(text, event, "id", JsonKind.STRING);
        demand(text, event, "content", JsonKind.STRING);
        OptionalInt error = text.member(event, "is_error");
        if (error.isEmpty()
            || !text.is(error.getAsInt(), JsonKind.TRUE)
                && !text.is(error.getAsInt(), JsonKind.FALSE)) {
          say(Verdict.UNREADABLE, at(text, event) + "is_error: not true or false");
        }
      }
      default -> {
        // Kinds without payloads, and kinds that JP keeps as they are.
      }
    }
  }

  private void demand(JsonText text, int event, String name, JsonKind kind) {
    OptionalInt member = text.member(event, name);
    if (member.isEmpty()) {
      say(Verdict.UNREADABLE, at(text, event) + "no " + name);
    } else if (!text.is(member.getAsInt(), kind)) {
      String found = text.kind(member.getAsInt()).words();
      say(
          Verdict.UNREADABLE,
          at(text, member.getAsInt()) + name + ": expected " + kind.words() + ", found " + found);
    }
  }
}
