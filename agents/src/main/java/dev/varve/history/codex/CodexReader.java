// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.codex;

import dev.varve.history.BasePoint;
import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.marks.ReaderState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a rollout of Codex: the turns are the items that the model was sent or answered, one after
/// the other.
///
/// Events repeat items for the display and are no turns, but for the commands of a script, which
/// exist as events only. `thread_rolled_back` takes the conversation back to an earlier prompt; the
/// next turn branches off there.
final class CodexReader implements TranscriptReader {

  private static final Set<String> ENVELOPES =
      Set.of(
          "session_meta",
          "turn_context",
          "world_state",
          "token_usage_record",
          "inter_agent_communication_metadata");

  /// The events of a script's commands, which name no call of the model.
  private static final Set<String> SCRIPTED =
      Set.of("CommandExecution", "FileChange", "McpToolCall", "WebSearch");

  private static final int KIND_LENGTH_MAX = 40;

  /// The most calls that a state knows: the commands of a call follow soon.
  private static final int CALLS_KEPT_MAX = 32;

  /// The most prompts of a conversation from whose state another reader goes on.
  private static final int PROMPTS_KEPT_MAX = 1 << 10;

  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private final Set<String> calls = new LinkedHashSet<>();

  /// The turn before each prompt of the path that counts.
  private final List<String> prompts = new ArrayList<>();

  private RecordTime time = new RecordTime();
  private long number;
  private String last = "";
  private String beforeUser = "";
  private boolean own;
  private boolean described;
  private boolean allCalls = true;
  private boolean sure = true;
  private String session = "";
  private String folder = "";
  private String link = "";

  @Override
  public Optional<BasePoint> base(TranscriptLine firstLine) {
    return RecordValue.object(firstLine.raw())
        .filter(record -> record.text("type").equals("session_meta"))
        .map(record -> record.get("payload").get("history_base"))
        .filter(base -> !base.text("thread_id").isEmpty())
        .map(base -> new BasePoint(base.text("thread_id"), base.get("end_byte_offset").count()));
  }

  @Override
  public void begin() {
    own = true;
    usage.clear();
    time = new RecordTime();
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    Instant at = time.take(record.text("timestamp"));
    String type = record.text("type");
    RecordValue payload = record.get("payload");
    switch (type) {
      case "response_item" -> item(payload, at, line, sink);
      case "event_msg" -> event(payload, at, line, sink);
      case "compacted" -> turn("compacted", at, line, sink);
      case "session_meta" -> {
        describe(payload);
        sink.bookkeeping();
      }
      case "token_usage_record" -> {
        usage(payload.text("response_id"), payload.get("usage"));
        sink.bookkeeping();
      }
      default -> other(record, type, at, line, sink);
    }
  }

  /// The first rollouts had no envelopes: a header, and items as they are.
  private void other(
      RecordValue record, String type, @Nullable Instant at, TranscriptLine line, RecordSink sink) {
    if (ENVELOPES.contains(type) || record.text("record_type").equals("state")) {
      sink.bookkeeping();
    } else if (record.has("instructions") && record.has("id")) {
      describe(record);
      sink.bookkeeping();
    } else if (!record.has("payload") && isItem(record, type)) {
      item(record, at, line, sink);
    } else {
      sink.unknown();
    }
  }

  private static boolean isItem(RecordValue record, String type) {
    return type.equals("message") && record.has("role")
        || type.startsWith("function_call")
        || type.equals("reasoning")
        || type.startsWith("local_shell_call");
  }

  private void describe(RecordValue meta) {
    if (!own || described) {
      return; // a copy of the parent's
    }
    described = true;
    session = meta.text("id");
    folder = meta.text("cwd");
    link = meta.text("forked_from_id");
    if (link.isEmpty()) {
      link = meta.text("parent_thread_id");
    }
    if (link.isEmpty()) {
      link = meta.get("source").get("subagent").get("thread_spawn").text("parent_thread_id");
    }
  }

  private void item(RecordValue item, @Nullable Instant at, TranscriptLine line, RecordSink sink) {
    String kind = item.text("type");
    if (kind.equals("additional_tools")) { // definitions for the model, and nobody's words
      sink.bookkeeping();
      return;
    }
    if (!item.text("call_id").isEmpty()) {
      calls.add(item.text("call_id"));
    }
    if (kind.equals("message") && item.text("role").equals("user")) {
      beforeUser = last;
      prompt(item);
    }
    turn(kind.equals("message") ? item.text("role") : kind, at, line, sink);
  }

  private void prompt(RecordValue item) {
    RecordValue about = item.get("internal_chat_message_metadata_passthrough");
    List<RecordValue> kinds = about.get("content_item_kinds").items();
    for (RecordValue content : item.get("content").items()) {
      String text = content.text("text");
      boolean typed =
          kinds.isEmpty()
              ? !text.startsWith("<") && !text.startsWith("# AGENTS.md instructions")
              : kinds.stream().anyMatch(kind -> kind.text().equals("user.text"))
                  && !text.startsWith("<");
      if (typed) {
        title.prompt(text);
      }
    }
  }

  private void event(
      RecordValue event, @Nullable Instant at, TranscriptLine line, RecordSink sink) {
    RecordValue item = event.get("item");
    switch (event.text("type")) {
      case "user_message" -> prompts.add(beforeUser);
      case "thread_rolled_back" -> rollBack(event.get("num_turns").count());
      case "token_count" -> {
        if (usage.isEmpty() || usage.keySet().iterator().next().startsWith("token_count ")) {
          RecordValue info = event.get("info");
          String thread = link.isEmpty() ? session : link; // a fork repeats its parent's counts
          usage("token_count " + thread + " " + total(info), info.get("last_token_usage"));
        }
      }
      case "item_completed" -> {
        if (SCRIPTED.contains(item.text("type")) && !calls.contains(item.text("id"))) {
          sure = sure && allCalls;
          turn(item.text("type"), at, line, sink);
          return;
        }
      }
      default -> {}
    }
    sink.bookkeeping();
  }

  /// The total after a response: a repeated count has the same.
  private static String total(RecordValue info) {
    RecordValue total = info.get("total_token_usage");
    return total.text("total_tokens") + "/" + total.text("output_tokens");
  }

  private void rollBack(long turns) {
    String to = last;
    for (long i = 0; i < turns && !prompts.isEmpty(); i++) {
      to = prompts.removeLast();
    }
    last = to;
  }

  private void turn(String kind, @Nullable Instant at, TranscriptLine line, RecordSink sink) {
    String id = Long.toString(number++);
    List<String> parents = last.isEmpty() ? List.of() : List.of(last);
    last = id;
    sink.turn(new HistoryTurn(id, parents, plain(kind), at, line.kept()));
  }

  /// A store keeps each type for ever, so an odd one is none.
  private static String plain(String kind) {
    boolean plain =
        !kind.isEmpty()
            && kind.length() <= KIND_LENGTH_MAX
            && kind.chars().allMatch(c -> c == '_' || c < 128 && Character.isLetter(c));
    return plain ? kind : "item";
  }

  private void usage(String key, RecordValue spent) {
    if (own && spent.isObject() && !key.isEmpty()) {
      usage.putIfAbsent(
          key,
          new UsageEvidence(
              key,
              spent.get("input_tokens").count(),
              spent.get("cached_input_tokens").count(),
              spent.get("output_tokens").count()));
    }
  }

  @Override
  public Optional<ReaderState> state() {
    if (prompts.size() > PROMPTS_KEPT_MAX) {
      return Optional.empty();
    }
    List<String> kept = calls.stream().skip(Math.max(0, calls.size() - CALLS_KEPT_MAX)).toList();
    boolean all = allCalls && kept.size() == calls.size();
    return Optional.of(
        new ReaderState()
            .with("calls", kept)
            .with("prompts", prompts)
            .with("time", time.state())
            .with("title", title.state())
            .with("flags", List.of(Boolean.toString(all), Boolean.toString(described)))
            .with("places", List.of(Long.toString(number), last, beforeUser))
            .with("names", List.of(session, folder, link)));
  }

  @Override
  public void resume(ReaderState state, List<UsageEvidence> known) {
    own = true;
    calls.addAll(state.list("calls"));
    prompts.addAll(state.list("prompts"));
    time.resume(state.list("time"));
    title.resume(state.list("title"));
    allCalls = Boolean.parseBoolean(state.list("flags").get(0));
    described = Boolean.parseBoolean(state.list("flags").get(1));
    number = Long.parseLong(state.list("places").get(0));
    last = state.list("places").get(1);
    beforeUser = state.list("places").get(2);
    session = state.list("names").get(0);
    folder = state.list("names").get(1);
    link = state.list("names").get(2);
    known.forEach(each -> usage.put(each.key(), each));
  }

  /// A command of a script is told from a call of the model by the ids of all calls.
  @Override
  public boolean isSure() {
    return sure;
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, usage.values());
  }
}
