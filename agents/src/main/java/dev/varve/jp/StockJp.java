// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonError;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A model of what JP as released does with a conversation's files. Known from its source of August
/// 2026, and held against JP's own loader (.ci/jp-judge.sh): at each start a sanitizer skims every
/// conversation for JSON; later a reader takes its events apart, more strictly.
public final class StockJp {

  /// From best to worst.
  public enum Verdict {
    /// Reads it, and writes it again without loss.
    READS,
    /// Reads it, and loses something when it next writes it, or shows something otherwise than it
    /// is meant.
    LOSES,
    /// Says that its events are not found, or does not list it; leaves the files where they are.
    UNREADABLE,
    /// Moves it to its trash at the next start.
    TRASHES
  }

  /// @param reasons in the order of the files, each with its place
  public record Opinion(ConversationCopy copy, Verdict verdict, List<String> reasons) {
    public Opinion {
      reasons = List.copyOf(reasons);
    }
  }

  /// serde_json's bound.
  private static final int DEPTH_MAX = 127;

  private static final int SMALL_BYTES_MAX = 16 << 20;

  private final ConversationCopy copy;
  private final List<String> reasons = new ArrayList<>();
  private Verdict verdict = Verdict.READS;

  private StockJp(ConversationCopy copy) {
    this.copy = copy;
  }

  public static Opinion of(ConversationCopy copy) {
    StockJp jp = new StockJp(copy);
    jp.metadata();
    boolean configured = jp.configuration();
    jp.events(configured);
    // What lies in the archive is not looked at before it comes back.
    Verdict verdict =
        jp.verdict == Verdict.TRASHES && copy.partition() != ConversationCopy.Partition.LIVE
            ? Verdict.UNREADABLE
            : jp.verdict;
    return new Opinion(copy, verdict, jp.reasons);
  }

  private void say(Verdict worse, String reason) {
    verdict = worse.compareTo(verdict) > 0 ? worse : verdict;
    reasons.add(reason);
  }

  private void say(String file, StockShapes shapes) {
    shapes.wrong().forEach(reason -> say(Verdict.UNREADABLE, file + ":" + reason));
    shapes.dropped().forEach(reason -> say(Verdict.LOSES, file + ":" + reason));
  }

  private void refuse(String file, JsonError error) {
    // The sanitizer skims: bytes that are no UTF-8, and depth, stop only the reader.
    boolean skimmed =
        switch (error.kind()) {
          case NOT_UTF8, TOO_LARGE -> true;
          case BYTE_ORDER_MARK, COMMA_AT_END, COMMENT, CUT_OFF, OTHER -> false;
        };
    say(skimmed ? Verdict.UNREADABLE : Verdict.TRASHES, file + ":" + error);
  }

  private void metadata() {
    String name = "metadata.json";
    try {
      if (!RealFiles.isFile(copy.metadata())) {
        say(Verdict.TRASHES, name + ": absent");
        return;
      }
      switch (small(copy.metadata())) {
        case JsonError error -> refuse(name, error);
        case JsonText text -> {
          StockShapes shapes = new StockShapes(text);
          StockEvents.metadata(shapes);
          if (text.is(0, JsonKind.OBJECT)) {
            text.duplicate(0).ifPresent(twice -> shapes.wrong().add("1:1: two of " + twice));
          }
          say(name, shapes);
        }
      }
    } catch (StoreException e) {
      say(Verdict.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  private static JsonReading small(Path file) {
    return JsonReading.of(RealFiles.read(file, SMALL_BYTES_MAX));
  }

  /// Looks at `base_config.json`.
  ///
  /// @return false if there is none, so that the first event must be the configuration
  private boolean configuration() {
    String name = "base_config.json";
    try {
      if (!RealFiles.isFile(copy.baseConfig())) {
        return false;
      }
      switch (small(copy.baseConfig())) {
        case JsonError error -> refuse(name, error);
        case JsonText text -> {
          values(name, text);
          configuration(name, text, 0);
        }
      }
    } catch (StoreException e) {
      say(Verdict.UNREADABLE, String.valueOf(e.getMessage()));
    }
    return true;
  }

  private void configuration(String file, JsonText text, int value) {
    StockEvents.configuration(text, value, new StockShapes(text))
        .forEach(
            reason -> say(Verdict.UNREADABLE, file + ":" + text.position(value) + ": " + reason));
  }

  private void events(boolean configured) {
    String name = "events.json";
    try {
      JsonText text = EventsFile.read(copy).text();
      if (!text.is(0, JsonKind.ARRAY)) {
        say(Verdict.TRASHES, name + ":1:1: expected an array");
        return;
      }
      text.each(0, event -> skim(text, event));
      values(name, text);
      if (!configured) {
        first(text);
      }
      StockShapes shapes = new StockShapes(text);
      int[] number = {0};
      text.each(
          0,
          event -> {
            if (configured || number[0] > 0) {
              StockEvents.event(text, event, shapes);
            }
            number[0]++;
          });
      say(name, shapes);
      for (PayloadSite site : PayloadSites.in(text).sites()) {
        if (site.isUrlSafe()) {
          say(
              Verdict.LOSES,
              name + ":" + text.position(site.value()) + ": URL-safe base64: shown undecoded");
        }
      }
    } catch (EventsFile.NotJson e) {
      refuse(name, e.error());
    } catch (StoreException.NotFound e) {
      say(Verdict.TRASHES, name + ": absent");
    } catch (StoreException e) {
      say(Verdict.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  /// The sanitizer: each event has a `timestamp` and a `type`, whatever they are, once each.
  private void skim(JsonText text, int event) {
    if (text.is(event, JsonKind.ARRAY) && text.count(event) == 2) {
      return; // serde takes two values in a row for the two members
    }
    Set<String> seen = new HashSet<>();
    boolean[] twice = {false};
    if (text.is(event, JsonKind.OBJECT)) {
      text.each(
          event,
          value -> {
            for (String name : List.of("timestamp", "type")) {
              twice[0] |= text.isNamed(value, name) && !seen.add(name);
            }
          });
    }
    if (seen.size() != 2 || twice[0]) {
      String what = twice[0] ? "timestamp or type twice" : "an event without timestamp or type";
      say(Verdict.TRASHES, "events.json:" + text.position(event) + ": " + what);
    }
  }

  /// Without a file for it, the configuration is the first event.
  private void first(JsonText text) {
    StockShapes shapes = new StockShapes(text);
    int first = text.count(0) == 0 ? -1 : 1;
    boolean delta =
        first > 0
            && shapes.last(first, "type").stream()
                .anyMatch(type -> text.text(type).filter("config_delta"::equals).isPresent());
    if (!delta) {
      say(
          Verdict.UNREADABLE,
          "events.json:1:1: neither base_config.json nor a configuration as first event");
      return;
    }
    shapes
        .last(first, "delta")
        .ifPresentOrElse(
            config -> configuration("events.json", text, config),
            () ->
                say(
                    Verdict.UNREADABLE,
                    "events.json:"
                        + text.position(first)
                        + ": a configuration without delta, as JP wrote it until 2025"));
  }

  /// Reports values that are JSON and that serde does not read all the same.
  private void values(String file, JsonText text) {
    int[] depth = new int[text.size()];
    for (int value = 0; value < text.size(); value++) {
      int parent = text.parent(value);
      boolean container = text.is(value, JsonKind.OBJECT) || text.is(value, JsonKind.ARRAY);
      depth[value] = (parent < 0 ? 0 : depth[parent]) + (container ? 1 : 0);
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
        say(Verdict.UNREADABLE, file + ":" + text.position(value) + ": " + wrong);
        return;
      }
    }
  }
}
