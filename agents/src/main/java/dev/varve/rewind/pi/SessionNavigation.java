// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.StoreException;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RestoreMenu.Offer;
import dev.varve.rewind.pi.RestoreMenu.Option;
import dev.varve.rewind.pi.RestoreMenu.Place;
import dev.varve.rewind.pi.SessionReply.Level;
import dev.varve.rewind.pi.SessionReply.Notice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The moves in a session and their effect on the files: the two menus, and the choices.
///
/// A fork and a step in the tree have two phases, because Pi moves between them: the choice
/// restores, and leaves a note of where the files stand; the other phase writes it where Pi
/// arrived.
public final class SessionNavigation {

  private static final int TRIES = 3;
  private static final int NAMED = 5;

  private final LiveSession session;

  /// The mark that the last choice in the tree left for [#arrived]; null if nothing is awaited.
  private SessionMark.@Nullable Op pending;

  public SessionNavigation(LiveSession session) {
    this.session = session;
  }

  /// The outcome of a choice.
  ///
  /// @param cancel whether Pi is not to move
  /// @param outcome of the restore; null if no file was to change
  public record Chosen(SessionReply reply, boolean cancel, @Nullable RestoreOutcome outcome) {}

  // ---- the menus

  /// The menu at a fork.
  ///
  /// @param clone whether all of the conversation is taken along: then there is nothing to ask
  public RestoreMenu fork(String entry, boolean clone, @Nullable String leaf) {
    List<Offer> offers = new ArrayList<>(List.of(new Offer(Option.CONVERSATION_ONLY, null)));
    if (!clone) {
      target(entry)
          .flatMap(this::forecast)
          .ifPresent(
              forecast -> {
                offers.add(new Offer(Option.RESTORE_ALL, forecast));
                offers.add(new Offer(Option.CODE_ONLY, forecast));
              });
      undoOffer(leaf).ifPresent(offers::add);
    }
    return new RestoreMenu(!clone, offers);
  }

  /// The menu at a step to an entry of the tree.
  public RestoreMenu tree(String entry, @Nullable String leaf) {
    List<Offer> offers = new ArrayList<>(List.of(new Offer(Option.KEEP, null)));
    target(entry)
        .flatMap(this::forecast)
        .ifPresent(forecast -> offers.add(new Offer(Option.RESTORE, forecast)));
    undoOffer(leaf).ifPresent(offers::add);
    return new RestoreMenu(true, offers);
  }

  private Optional<Snapshot> target(String entry) {
    String snapshot = session.points().at(entry);
    return snapshot == null ? Optional.empty() : Optional.of(session.rewind().snapshot(snapshot));
  }

  private Optional<Offer> undoOffer(@Nullable String leaf) {
    return undo(leaf).flatMap(this::forecast).map(forecast -> new Offer(Option.UNDO, forecast));
  }

  /// The files before the last restore, if it belongs to this session or one it was forked from;
  /// restores of others are not undone by mistake. Else what another tool says on this branch.
  private Optional<Snapshot> undo(@Nullable String leaf) {
    Rewind rewind = session.rewind();
    Optional<Snapshot> last =
        rewind.beforeLastRestore().filter(before -> session.undos().contains(before.commit()));
    String undone = session.standing(leaf).undo();
    return last.isPresent()
            || undone == null
            || rewind.wasRestoredFrom(undone)
            || rewind.present(Set.of(undone)).isEmpty()
        ? last
        : Optional.of(rewind.snapshot(undone));
  }

  /// Empty while a restore that broke off is not settled.
  private Optional<RestoreForecast> forecast(Snapshot target) {
    Rewind rewind = session.rewind();
    if (rewind.begun() != null) {
      return Optional.empty();
    }
    RestorePlan plan = rewind.plan(target, new PathSelection.Everything());
    return Optional.of(RestoreForecast.of(plan, () -> rewind.size(plan)));
  }

  // ---- the choice

  /// Does what was chosen.
  ///
  /// @param entry where Pi is to go; empty for an undo or redo
  /// @param option null if nothing was chosen: then Pi is not to move
  public Chosen choose(Place place, String entry, @Nullable Option option, @Nullable String leaf) {
    if (option == null) {
      return new Chosen(SessionReply.NOTHING, true, null);
    }
    return switch (option) {
      case CONVERSATION_ONLY, KEEP -> kept(place, leaf);
      case RESTORE_ALL, CODE_ONLY, RESTORE ->
          restored(
              place,
              option,
              leaf,
              target(entry).orElseThrow(() -> new StoreException.NotFound("point", entry)));
      case UNDO, REDO -> restored(place, option, leaf, demandBack(option, leaf));
    };
  }

  /// The snapshot to which an undo or a redo leads; empty if there is nothing to undo or redo.
  private Optional<Snapshot> back(Option option, @Nullable String leaf) {
    return option == Option.UNDO ? undo(leaf) : session.rewind().beforeLastUndo();
  }

  private Snapshot demandBack(Option option, @Nullable String leaf) {
    Optional<Snapshot> target = back(option, leaf);
    if (target.isEmpty()) {
      session.rewind().demandHistory();
    }
    return target.orElseThrow(
        () ->
            option == Option.UNDO
                ? new StoreException.NotFound("restore", "to undo")
                : new StoreException.NotFound("undo", "to redo"));
  }

  /// True if there is something to undo or redo.
  public boolean canGoBack(Option option, @Nullable String leaf) {
    return back(option, leaf).isPresent();
  }

  /// Plans the restore of [#choose] for an undo or redo.
  ///
  /// @throws StoreException.NotFound if there is nothing to undo or redo
  public RestorePlan plan(Option option, @Nullable String leaf) {
    return session.rewind().plan(demandBack(option, leaf), new PathSelection.Everything());
  }

  private Chosen kept(Place place, @Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    Snapshot now = session.capture(notices);
    List<SessionMark> marks = new ArrayList<>();
    String undo = session.standing(leaf).undo();
    if (place == Place.FORK && now != null) {
      marks.add(new SessionMark.ForkPending(now.commit(), undo));
    }
    if (place == Place.TREE && now != null) {
      pending = new SessionMark.Op(List.of(), now.commit(), undo, true);
    }
    return new Chosen(session.reply(marks, notices, now), false, null);
  }

  private Chosen restored(Place place, Option option, @Nullable String leaf, Snapshot target) {
    RestoreOutcome outcome;
    try {
      outcome = restore(option, target);
    } catch (StoreException e) {
      String why = "The files were not restored: " + e.getMessage();
      SessionReply reply = session.reply(List.of(), List.of(new Notice(Level.ERROR, why)), null);
      return new Chosen(reply, true, null);
    }
    boolean stay =
        !outcome.exact()
            || option == Option.CODE_ONLY
            || option == Option.UNDO && place == Place.FORK;
    String current = outcome.after().commit();
    String undo =
        outcome.plan().changes() == 0
            ? session.standing(leaf).undo()
            : outcome.plan().now().commit();
    List<SessionMark> marks = new ArrayList<>();
    if (place == Place.COMMAND || stay) {
      marks.add(new SessionMark.Op(List.of(), current, undo, true));
    } else if (place == Place.FORK) {
      marks.add(new SessionMark.ForkPending(current, undo));
    } else {
      pending = new SessionMark.Op(List.of(), current, undo, true);
    }
    return new Chosen(
        session.reply(marks, List.of(report(outcome)), outcome.after()),
        stay && place != Place.COMMAND,
        outcome);
  }

  /// Completes a restore that broke off, whichever program began it, or takes the restore back. A
  /// completed restore can be undone in this session.
  ///
  /// @throws StoreException.NotFound if none broke off
  public Chosen settle(boolean forward, @Nullable String leaf) {
    Rewind rewind = session.rewind();
    RestoreOutcome outcome = forward ? rewind.finish() : rewind.rollBack();
    String undo = forward ? outcome.plan().now().commit() : session.standing(leaf).undo();
    SessionMark mark = new SessionMark.Op(List.of(), outcome.after().commit(), undo, true);
    return new Chosen(session.reply(List.of(mark), List.of(), outcome.after()), false, outcome);
  }

  private RestoreOutcome restore(Option option, Snapshot target) {
    Rewind rewind = session.rewind();
    for (int i = 1; ; i++) {
      try {
        RestorePlan made = rewind.plan(target, new PathSelection.Everything());
        RestorePlan plan = i == TRIES ? made.leavingMoved() : made;
        return switch (option) {
          case UNDO ->
              rewind.wasRestoredFrom(target.commit()) ? rewind.undo(plan) : rewind.restore(plan);
          case REDO -> rewind.redo(plan);
          default -> rewind.restore(plan);
        };
      } catch (StoreException.Conflict e) {
        // Something was written between the plan and its restore.
        if (i == TRIES || rewind.begun() != null) {
          throw e;
        }
      }
    }
  }

  private static Notice report(RestoreOutcome outcome) {
    long changes = outcome.plan().changes();
    if (outcome.exact()) {
      return new Notice(
          Level.INFO,
          changes == 0
              ? "The files are already as they were then."
              : "Files restored: " + changes + (changes == 1 ? " path." : " paths."));
    }
    List<String> wrong = new ArrayList<>();
    outcome.failures().forEach(f -> wrong.add(f.path() + " (" + f.failure() + ")"));
    outcome.notExact().stream()
        .filter(path -> outcome.failures().stream().noneMatch(f -> f.path().equals(path)))
        .forEach(path -> wrong.add(path + " (is not as it was to be)"));
    int more = wrong.size() - NAMED;
    return new Notice(
        Level.ERROR,
        "Not all files were restored; undo brings back what was before: "
            + String.join(", ", wrong.subList(0, Math.min(NAMED, wrong.size())))
            + (more > 0 ? " and " + more + " more" : ""));
  }

  // ---- the second phase

  /// Pi moved in the tree: the note of where the files stand goes to where it is now.
  ///
  /// @param summary the summary of the branch that was left; null if there is none
  public SessionReply arrived(@Nullable String summary, @Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    SessionMark.Op op = pending;
    pending = null;
    if (op == null) {
      Snapshot now = session.capture(notices);
      if (now == null) {
        return session.reply(List.of(), notices, null);
      }
      op = new SessionMark.Op(List.of(), now.commit(), session.standing(leaf).undo(), true);
    }
    String current = op.current();
    if (summary != null && current != null) {
      op =
          new SessionMark.Op(
              List.of(new SessionMark.Binding(summary, current)), current, op.undo(), true);
    }
    return session.reply(List.of(op), notices, null);
  }

  /// Writes the mark that a choice left and Pi did not come for, because something else kept Pi
  /// from moving.
  public SessionReply stayed() {
    SessionMark.Op op = pending;
    pending = null;
    return op == null ? SessionReply.NOTHING : session.reply(List.of(op), List.of(), null);
  }
}
