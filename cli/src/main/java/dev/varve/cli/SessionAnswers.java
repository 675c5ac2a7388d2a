// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.checkpoint.Outcome;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.ledger.LiveSession;
import dev.varve.ledger.Menu;
import dev.varve.ledger.Menu.Option;
import dev.varve.ledger.Menu.Place;
import dev.varve.ledger.Navigation;
import dev.varve.ledger.Navigation.Chosen;
import dev.varve.ledger.Points;
import dev.varve.ledger.Reply;
import dev.varve.ledger.Settings;
import dev.varve.ledger.Sweeps;
import dev.varve.pi.SessionFolder;
import dev.varve.session.Kind;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `varve rewind serve` answers about a session of Pi, see docs/stdio.md.
///
/// Outside a worktree every such request is answered, with nothing to do: who runs the session
/// needs no rules.
final class SessionAnswers implements AutoCloseable {

  private static final String SHOWN = "◆ ";

  private final WorktreeOption option;
  private final Terminal terminal;
  private final Varve varve;
  private @Nullable Rewind worktree;
  private final @Nullable StoreException missing;
  private Settings settings = Settings.NONE;
  private @Nullable Rewind rewind;
  private @Nullable LiveSession session;
  private @Nullable Navigation navigation;
  private @Nullable Sweeps sweeps;
  private String lastAct = "";
  private String toldTrouble = "";

  private SessionAnswers(
      WorktreeOption option,
      Varve varve,
      @Nullable Rewind worktree,
      @Nullable StoreException missing) {
    this.option = option;
    this.varve = varve;
    this.terminal = varve.terminal();
    this.worktree = worktree;
    this.rewind = worktree;
    this.missing = missing;
  }

  /// Without git nothing is captured unless somebody wants snapshots in the store: the command
  /// line, or the settings that a session comes with.
  static SessionAnswers at(WorktreeOption option, Varve varve) {
    Terminal terminal = varve.terminal();
    try {
      if (!option.isInRepository() && !option.keepsTrees(terminal)) {
        throw new StoreException.NotFound("git worktree", option.folder().toString());
      }
      return new SessionAnswers(option, varve, option.open(terminal).staying(), null);
    } catch (StoreException.NotFound e) {
      return new SessionAnswers(option, varve, null, e);
    }
  }

  JsonLine answer(RewindRequest request) {
    lastAct = request.act();
    JsonLine answer = new JsonLine().text("id", request.id()).bool("ok", true);
    return switch (request.act()) {
      case "session" -> begin(answer, request);
      case "prompt", "turn_start", "turn_end", "agent_end", "compacted", "tree_done" ->
          snapshot(answer, request);
      case "fork_choices", "tree_choices" -> menu(answer, request);
      case "choose" -> choose(answer, request);
      case "points" -> points(answer, request);
      case "finish", "roll_back" -> settle(answer, request);
      case "plan_undo", "plan_redo" -> back(answer, request);
      case "shutdown" -> replied(answer, Reply.NOTHING);
      default -> WorktreeAnswers.answer(answer, demandRewind(), resolved(request));
    };
  }

  /// Begins what goes on beside the next requests.
  void afterwards() {
    Sweeps sweeping = sweeps;
    if (sweeping != null) {
      switch (lastAct) {
        case "session" -> sweeping.begun();
        case "shutdown" -> sweeping.ended();
        default -> sweeping.answered();
      }
    }
    lastAct = "";
  }

  /// Waits for a sweep that is on its way.
  @Override
  public void close() {
    if (sweeps != null) {
      sweeps.close();
    }
  }

  private Rewind demandRewind() {
    if (rewind == null) {
      if (missing == null) {
        throw new AssertionError("neither worktree nor reason");
      }
      throw missing;
    }
    return rewind;
  }

  // ---- the session

  private JsonLine begin(JsonLine answer, RewindRequest request) {
    settings = settings(request);
    rewind = worktree;
    session = null;
    navigation = null;
    Rewind here;
    try {
      here = worktree();
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      return replied(
          WorktreeAnswers.begun(
              answer
                  .bool("enabled", false)
                  .text("why", e.getMessage())
                  .text("root", null)
                  .bool("silent", settings.silent()),
              "begun",
              null),
          Reply.NOTHING);
    }
    LiveSession live = LiveSession.open(here, start(request));
    rewind = here;
    session = live;
    navigation = new Navigation(live);
    close();
    sweeps = sweeps(here, live, request);
    Reply reply = live.begin();
    List<Reply.Notice> notices = new ArrayList<>(reply.notices());
    settings.problems().forEach(what -> notices.add(new Reply.Notice(Reply.Level.WARNING, what)));
    answer
        .bool("enabled", true)
        .text("why", null)
        .text("root", here.root().toString())
        .bool("silent", settings.silent());
    return replied(
        WorktreeAnswers.begun(answer, "begun", here.begun()),
        new Reply(reply.append(), notices, null));
  }

  /// As the session's settings want it.
  private Rewind worktree() {
    Long fileBytesMax = settings.fileBytesMax();
    if (settings.trees()) {
      return option.openTrees(terminal, fileBytesMax);
    }
    if (worktree == null) {
      return demandRewind(); // refuses
    }
    if (settings.outside()
        && option.isInRepository()
        && !option.keepsTrees(terminal)
        && Rewind.keepOutside(worktree.root(), RewindOutside.place(varve, worktree.root()))) {
      worktree = option.open(terminal).staying();
    }
    return fileBytesMax == null ? worktree : option.open(terminal, fileBytesMax).staying();
  }

  private @Nullable Sweeps sweeps(Rewind here, LiveSession live, RewindRequest request) {
    Settings.Retention rules = settings.retention();
    if (rules == null) {
      return null;
    }
    String agent = request.text("agent_dir", "");
    return new Sweeps(here, live, rules, () -> sessions(agent, live), terminal.clock());
  }

  /// Those of Pi's folder, and those beside the session.
  private SessionFolder sessions(String agent, LiveSession live) {
    SessionFolder all = PiOptions.at(agent, terminal).folder(terminal).all();
    Path self = live.file();
    Path folder = self == null ? null : self.toAbsolutePath().getParent();
    return folder != null && Files.isDirectory(folder) ? all.and(SessionFolder.list(folder)) : all;
  }

  private Settings settings(RewindRequest request) {
    Settings told = request.settings();
    if (told != null) {
      return told;
    }
    return Settings.of(
        PiOptions.at(request.text("agent_dir", ""), terminal).agent(terminal),
        request.isFalse("trusted") ? null : option.folder());
  }

  private static LiveSession.Start start(RewindRequest request) {
    String file = request.text("session_file", "");
    String parent = request.text("parent_file", "");
    String previous = request.text("previous_file", "");
    try {
      return new LiveSession.Start(
          file.isEmpty() ? null : Path.of(file),
          request.demandText("session_id"),
          parent.isEmpty() ? null : parent,
          previous.isEmpty() ? null : previous,
          request.text("reason", "startup"),
          request.entries());
    } catch (InvalidPathException e) {
      throw new Refusal(ExitCodes.USAGE, "session: session_file: " + e.getMessage(), null);
    }
  }

  private JsonLine snapshot(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    if (live == null || moves == null) {
      demandSessionWasTold(request);
      return replied(
          answer.text("snapshot", null).objects("left_out", List.of(), (_, _) -> {}),
          Reply.NOTHING);
    }
    live.tell(request.entries());
    String leaf = request.texts().get("leaf");
    Reply reply =
        switch (request.act()) {
          case "prompt" -> after(moves.stayed(), live.prompt(leaf));
          case "turn_start" -> live.turnStart(leaf);
          case "turn_end" ->
              live.turnEnd(leaf, request.texts().get("assistant"), request.has("late"));
          case "agent_end" -> live.agentEnd(leaf);
          case "compacted" -> live.compacted(request.demandText("entry"), leaf);
          default -> moves.arrived(request.texts().get("summary_entry"), leaf);
        };
    Snapshot taken = reply.snapshot();
    answer.text("snapshot", taken == null ? null : taken.commit());
    return replied(SnapshotText.leftOut(answer, taken), reply);
  }

  private static Reply after(Reply first, Reply then) {
    List<Reply.Appended> append = new ArrayList<>(first.append());
    append.addAll(then.append());
    return new Reply(append, then.notices(), then.snapshot());
  }

  private void demandSessionWasTold(RewindRequest request) {
    if (worktree != null) {
      throw new Refusal(ExitCodes.USAGE, request.act() + ": expected 'session' before", null);
    }
  }

  // ---- menus

  private JsonLine menu(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    boolean fork = request.act().equals("fork_choices");
    Menu menu;
    if (live == null || moves == null) {
      demandSessionWasTold(request);
      Option nothing = fork ? Option.CONVERSATION_ONLY : Option.KEEP;
      menu = new Menu(false, List.of(new Menu.Offer(nothing, null)));
    } else {
      live.tell(request.entries());
      String leaf = request.texts().get("leaf");
      String entry = request.demandText("entry");
      menu =
          fork
              ? moves.fork(entry, request.text("position", "").equals("at"), leaf)
              : moves.tree(entry, leaf);
    }
    answer
        .bool("ask", menu.ask())
        .text("title", "Restore Options")
        .text("default", menu.options().getFirst().option().id())
        .objects("options", menu.options(), MenuJson::offer);
    return replied(answer, Reply.NOTHING);
  }

  private JsonLine choose(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    if (live == null || moves == null) {
      demandSessionWasTold(request);
      answer.bool("cancel", !request.texts().containsKey("option")).text("outcome", null);
      return replied(answer, Reply.NOTHING);
    }
    live.tell(request.entries());
    Place place = place(request.demandText("menu"));
    String wanted = request.texts().get("option");
    Option option = wanted == null ? null : Option.of(wanted);
    if (wanted != null && option == null) {
      throw new Refusal(ExitCodes.USAGE, "choose: there is no option '" + wanted + "'", null);
    }
    Chosen chosen =
        moves.choose(place, request.text("entry", ""), option, request.texts().get("leaf"));
    answer.bool("cancel", chosen.cancel());
    Outcome outcome = chosen.outcome();
    if (outcome == null) {
      answer.text("outcome", null);
    } else {
      answer.object("outcome", line -> WorktreeAnswers.outcome(line, outcome));
    }
    return replied(answer, chosen.reply());
  }

  /// In a session, what was ended can be undone there.
  private JsonLine settle(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    if (live == null || moves == null) {
      return WorktreeAnswers.answer(answer, demandRewind(), request);
    }
    live.tell(request.entries());
    Chosen settled = moves.settle(request.act().equals("finish"), request.texts().get("leaf"));
    Outcome outcome = settled.outcome();
    if (outcome == null) {
      throw new AssertionError("no restore was settled");
    }
    return replied(WorktreeAnswers.outcome(answer, outcome), settled.reply());
  }

  /// With a menu, what choosing it there would do; else what the request of this name would.
  private JsonLine back(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    if (live == null || moves == null || !request.texts().containsKey("menu")) {
      return WorktreeAnswers.answer(answer, demandRewind(), request);
    }
    live.tell(request.entries());
    Option option = request.act().equals("plan_undo") ? Option.UNDO : Option.REDO;
    return WorktreeAnswers.plan(answer, moves.plan(option, request.texts().get("leaf")));
  }

  private static Place place(String menu) {
    try {
      return Place.valueOf(menu.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new Refusal(ExitCodes.USAGE, "choose: there is no menu '" + menu + "'", null);
    }
  }

  // ---- points

  private JsonLine points(JsonLine answer, RewindRequest request) {
    LiveSession live = session;
    Navigation moves = navigation;
    List<Points.Point> list = List.of();
    String leaf = request.texts().get("leaf");
    if (live != null) {
      live.tell(request.entries());
      list = live.points().on(leaf);
    }
    return replied(
        answer
            .bool("undo", moves != null && moves.canGoBack(Option.UNDO, leaf))
            .bool("redo", moves != null && moves.canGoBack(Option.REDO, leaf))
            .number("count", list.size())
            .objects(
                "list",
                list.stream().limit(WorktreeAnswers.limit(request)).toList(),
                MenuJson::point),
        Reply.NOTHING);
  }

  /// A request that names an entry of the session in place of a snapshot.
  private RewindRequest resolved(RewindRequest request) {
    LiveSession live = session;
    String entry = request.texts().get("entry");
    if (live == null || entry == null || request.texts().containsKey("snapshot")) {
      return request;
    }
    live.tell(request.entries());
    String snapshot = live.points().at(entry);
    if (snapshot == null) {
      throw new StoreException.NotFound("point", entry);
    }
    return request.with("snapshot", snapshot);
  }

  // ---- what every answer has

  private JsonLine replied(JsonLine answer, Reply reply) {
    LiveSession live = session;
    Points points = live == null ? null : live.points();
    long count = points == null ? 0 : points.count();
    long snapshots = points == null ? 0 : points.snapshots();
    boolean shown = points != null && !settings.silent();
    List<Reply.Notice> notices = new ArrayList<>(reply.notices());
    if (sweeps != null && !sweeps.trouble().equals(toldTrouble)) {
      toldTrouble = sweeps.trouble();
      if (!toldTrouble.isEmpty()) {
        notices.add(
            new Reply.Notice(Reply.Level.INFO, "No old snapshot was let go: " + toldTrouble));
      }
    }
    return answer
        .objects(
            "append",
            reply.append(),
            (line, mark) -> line.text("customType", mark.customType()).json("data", mark.data()))
        .text("status", shown ? SHOWN + count + " points / " + snapshots + " snapshots" : null)
        .number("points", count)
        .number("snapshots", snapshots)
        .objects(
            "notices",
            notices.stream()
                .filter(notice -> !settings.silent() || notice.level() != Reply.Level.INFO)
                .toList(),
            (line, notice) ->
                line.text("level", notice.level().name().toLowerCase(Locale.ROOT))
                    .text("text", notice.text()));
  }

  /// What people call a kind of entry; for programs.
  static String word(@Nullable Kind kind) {
    return kind == null ? "unknown" : kind.name().toLowerCase(Locale.ROOT);
  }
}
