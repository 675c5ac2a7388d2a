// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.json.JsonLine;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RewindSettings;
import dev.varve.rewind.pi.SessionReply;
import dev.varve.rewind.pi.SweepSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Answers to the requests of one process, in their order.
///
/// Outside a worktree the requests about a session are answered too, with nothing to do: the
/// program that runs the session needs no rule of its own for this case.
final class SessionAnswers implements AutoCloseable {

  private final RewindHost host;

  /// The worktree that the process was started for; null if there is none.
  private @Nullable Rewind worktree;

  private final @Nullable StoreException missing;
  private RewindSettings settings = RewindSettings.NONE;
  private @Nullable OpenSession session;
  private String lastAct = "";
  private String reportedTrouble = "";

  private SessionAnswers(
      RewindHost host, @Nullable Rewind worktree, @Nullable StoreException missing) {
    this.host = host;
    this.worktree = worktree;
    this.missing = missing;
  }

  /// Without git there is a worktree only if the command line or the settings ask for snapshots in
  /// the store; the settings of a session may ask for them later.
  static SessionAnswers of(RewindHost host) {
    try {
      if (!host.isInRepository() && !host.keepsTrees()) {
        throw new StoreException.NotFound("git worktree", host.folder().toString());
      }
      return new SessionAnswers(host, host.open().withFileCache(), null);
    } catch (StoreException.NotFound e) {
      return new SessionAnswers(host, null, e);
    }
  }

  JsonLine answer(RewindRequest request) {
    lastAct = request.act();
    JsonLine answer = new JsonLine().text("id", request.id()).bool("ok", true);
    OpenSession open = session;
    return switch (request.act()) {
      case "session" -> begin(answer, request);
      case "prompt", "turn_start", "turn_end", "agent_end", "compacted", "tree_done" ->
          snapshot(answer, demandSession(request), request);
      case "fork_choices", "tree_choices" -> {
        MenuAnswers.menu(answer, demandSession(request), request);
        yield replied(answer, SessionReply.NOTHING);
      }
      case "choose" -> replied(answer, MenuAnswers.choose(answer, demandSession(request), request));
      case "points" -> {
        MenuAnswers.points(answer, open, request);
        yield replied(answer, SessionReply.NOTHING);
      }
      case "finish", "roll_back" ->
          open == null
              ? WorktreeAnswers.answer(answer, demandWorktree(), request)
              : replied(answer, MenuAnswers.settle(answer, open, request));
      case "plan_undo", "plan_redo" ->
          open == null || !request.texts().containsKey("menu")
              ? WorktreeAnswers.answer(answer, demandWorktree(), request)
              : MenuAnswers.plan(answer, open, request);
      case "shutdown" -> replied(answer, SessionReply.NOTHING);
      default -> WorktreeAnswers.answer(answer, demandWorktree(), resolved(request));
    };
  }

  /// Begins work that goes on beside the next requests.
  void afterwards() {
    SweepSchedule sweeps = session == null ? null : session.sweeps();
    if (sweeps != null) {
      switch (lastAct) {
        case "session" -> sweeps.begun();
        case "shutdown" -> sweeps.ended();
        default -> sweeps.answered();
      }
    }
    lastAct = "";
  }

  /// Waits for a sweep that is under way.
  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }

  private Rewind demandWorktree() {
    if (session != null) {
      return session.rewind();
    }
    if (worktree == null) {
      throw Objects.requireNonNull(missing, "neither worktree nor reason");
    }
    return worktree;
  }

  /// The session; null where there is none and none is needed, because there is no worktree.
  ///
  /// @throws StoreException.Invalid if there is a worktree, and no session was begun
  private @Nullable OpenSession demandSession(RewindRequest request) {
    if (session == null && worktree != null) {
      throw new StoreException.Invalid(request.act(), "expected 'session' before");
    }
    return session;
  }

  private JsonLine begin(JsonLine answer, RewindRequest request) {
    close();
    session = null;
    SessionOpening opening = new SessionOpening(host, request);
    settings = opening.settings();
    Rewind here;
    try {
      Rewind started = worktree;
      if (started != null && opening.movesOutside(started)) {
        worktree = host.open().withFileCache();
      }
      here = opening.worktree(worktree, missing);
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      answer
          .bool("enabled", false)
          .text("why", e.getMessage())
          .text("root", null)
          .bool("silent", settings.silent());
      return replied(WorktreeAnswers.begun(answer, "begun", null), SessionReply.NOTHING);
    }
    OpenSession open = opening.open(here);
    session = open;
    SessionReply reply = open.live().begin();
    List<SessionReply.Notice> notices = new ArrayList<>(reply.notices());
    settings
        .problems()
        .forEach(what -> notices.add(new SessionReply.Notice(SessionReply.Level.WARNING, what)));
    answer
        .bool("enabled", true)
        .text("why", null)
        .text("root", here.root().toString())
        .bool("silent", settings.silent());
    return replied(
        WorktreeAnswers.begun(answer, "begun", here.begun()),
        new SessionReply(reply.append(), notices, null));
  }

  private JsonLine snapshot(JsonLine answer, @Nullable OpenSession open, RewindRequest request) {
    SessionReply reply = open == null ? SessionReply.NOTHING : boundary(open, request);
    Snapshot taken = reply.snapshot();
    answer.text("snapshot", taken == null ? null : taken.commit());
    return replied(SnapshotJson.leftOut(answer, taken), reply);
  }

  private static SessionReply boundary(OpenSession open, RewindRequest request) {
    open.live().declare(request.entries());
    String leaf = request.leaf();
    return switch (request.act()) {
      case "prompt" -> joined(open.moves().stayed(), open.live().prompt(leaf));
      case "turn_start" -> open.live().turnStart(leaf);
      case "turn_end" ->
          open.live().turnEnd(leaf, request.texts().get("assistant"), request.has("late"));
      case "agent_end" -> open.live().agentEnd(leaf);
      case "compacted" -> open.live().compacted(request.demandText("entry"), leaf);
      default -> open.moves().arrived(request.texts().get("summary_entry"), leaf);
    };
  }

  private static SessionReply joined(SessionReply first, SessionReply then) {
    List<SessionReply.Appended> append = new ArrayList<>(first.append());
    append.addAll(then.append());
    return new SessionReply(append, then.notices(), then.snapshot());
  }

  /// The request with the snapshot of the entry that stands in its place.
  private RewindRequest resolved(RewindRequest request) {
    String entry = request.texts().get("entry");
    if (session == null || entry == null || request.texts().containsKey("snapshot")) {
      return request;
    }
    String snapshot = session.follow(request).live().points().at(entry);
    if (snapshot == null) {
      throw new StoreException.NotFound("point", entry);
    }
    return request.with("snapshot", snapshot);
  }

  private JsonLine replied(JsonLine answer, SessionReply reply) {
    OpenSession open = session;
    SweepSchedule sweeps = open == null ? null : open.sweeps();
    List<SessionReply.Notice> notices = new ArrayList<>(reply.notices());
    if (sweeps != null && !sweeps.trouble().equals(reportedTrouble)) {
      reportedTrouble = sweeps.trouble();
      if (!reportedTrouble.isEmpty()) {
        notices.add(
            new SessionReply.Notice(
                SessionReply.Level.INFO, "No old snapshot was let go: " + reportedTrouble));
      }
    }
    return ReplyJson.write(
        answer,
        reply.append(),
        notices,
        open == null ? null : open.live().points(),
        settings.silent());
  }
}
