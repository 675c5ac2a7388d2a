// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.SideNotes;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.SessionReply.Level;
import dev.varve.rewind.pi.SessionReply.Notice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A session that an agent works in, with its entries so far and the worktree it works on. For one
/// thread.
///
/// The state that must outlive this process between two marks lies on the disk, see
/// [RunningPrompt].
public final class LiveSession {

  private static final int LISTED_AT_ONCE = 5;

  private final Rewind rewind;
  private final SessionStart start;
  private final SessionLog log;
  private final SnapshotBindings bindings;
  private final SessionLineage lineage;
  private final SideNotes sideNotes;
  private final Set<String> present = new HashSet<>();
  private final Set<String> absent = new HashSet<>();
  private final Set<String> lastSaid = new HashSet<>();
  private final Set<String> ownUndos = new HashSet<>();
  private final Set<RepoPath> reportedLeftOut = new HashSet<>();
  private @Nullable RunningPrompt running;
  private int taken;

  private LiveSession(Rewind rewind, SessionStart start, SessionLog log) {
    this.rewind = rewind;
    this.start = start;
    this.log = log;
    start.entries().forEach(log::add);
    this.bindings = new SnapshotBindings(log);
    String parent = start.parent();
    if (parent == null && log.header() != null) {
      parent = log.header().parentSession();
    }
    this.lineage = SessionLineage.of(start.file(), parent);
    this.sideNotes = rewind.sideNotes(RunningPrompt.FOLDER);
    ask(bindings.distinct());
  }

  /// Reads the session and its parents.
  ///
  /// @throws StoreException.Io if its file is there and cannot be read
  public static LiveSession open(Rewind rewind, SessionStart start) {
    Path file = start.file();
    SessionLog log = file != null && Files.exists(file) ? SessionLog.read(file) : new SessionLog();
    return new LiveSession(rewind, start, log);
  }

  /// Begins the session: takes over where the files stand from the session it was forked from, and
  /// binds a prompt that was cut off by the end of its process.
  public SessionReply begin() {
    List<Notice> notices = new ArrayList<>();
    if (!lineage.broken().isEmpty()) {
      notices.add(
          new Notice(Level.WARNING, "Points before the fork are not known: " + lineage.broken()));
    }
    List<SessionMark> marks = new ArrayList<>();
    running = sideNotes.get(name()).flatMap(RunningPrompt::parse).orElse(null);
    if (running != null && !start.reason().equals("restart")) {
      new TurnMarks(log, bindings).cutOff(running).ifPresent(marks::add);
      forgetRunning();
    }
    if (start.reason().equals("fork")) {
      ForkHandOff.of(start, lineage).ifPresent(marks::add);
    }
    return reply(marks, notices, null);
  }

  private String name() {
    return Blake3.hash(start.id().getBytes(UTF_8))
        .toString()
        .toLowerCase(java.util.Locale.ROOT)
        .replaceAll("[^0-9a-z]", "");
  }

  /// Takes note of entries that came since; known ones are passed over.
  public void declare(List<SessionEntry> entries) {
    entries.forEach(log::add);
    bindings.follow();
  }

  // ---- an agent's run

  /// Captures the files before a prompt.
  ///
  /// @param leaf the session's last entry, before the prompt's own
  public SessionReply prompt(@Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    Snapshot before = capture(notices);
    remember(RunningPrompt.begun(start.id(), leaf, before == null ? null : before.commit()));
    return reply(List.of(), notices, before);
  }

  /// The start of a turn. Without a prompt before it, the turn began by itself.
  public SessionReply turnStart(@Nullable String leaf) {
    return running == null ? prompt(leaf) : SessionReply.NOTHING;
  }

  /// Captures the files after a turn, and makes the turn's mark.
  ///
  /// @param assistant what the agent said in it; null for the last that it said
  /// @param late whether what came before was seen too late to count on
  public SessionReply turnEnd(@Nullable String leaf, @Nullable String assistant, boolean late) {
    RunningPrompt run = running;
    if (run == null) {
      run = new RunningPrompt(start.id(), leaf, null, null, Set.of());
    }
    if (late) {
      run = run.unsure();
    }
    List<Notice> notices = new ArrayList<>();
    Snapshot after = capture(notices);
    TurnMarks turns = new TurnMarks(log, bindings);
    List<SessionMark> marks = new ArrayList<>();
    turns.ended(leaf, assistant, run, after == null ? null : after.commit()).ifPresent(marks::add);
    run = after == null ? run.unsure() : run.seen(after.commit());
    remember(run);
    return reply(marks, notices, after);
  }

  /// The run is over.
  public SessionReply agentEnd(@Nullable String leaf) {
    List<SessionMark> marks = new ArrayList<>();
    if (running != null) {
      new TurnMarks(log, bindings).unanswered(leaf, running).ifPresent(marks::add);
      forgetRunning();
    }
    return reply(marks, List.of(), null);
  }

  /// The session was compacted: the compaction stands for the files as they are now.
  public SessionReply compacted(String compaction, @Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    Snapshot now = capture(notices);
    List<SessionMark> marks = new ArrayList<>();
    if (now != null) {
      marks.add(
          new SessionMark.Op(
              List.of(new SessionMark.Binding(compaction, now.commit())),
              now.commit(),
              bindings.standing(leaf).undo(),
              true));
    }
    return reply(marks, notices, now);
  }

  // ---- for the rest of the room

  Rewind rewind() {
    return rewind;
  }

  /// Every snapshot from before a restore that the session, or a session from which it was forked,
  /// names.
  Set<String> undos() {
    Set<String> undos = new HashSet<>(ownUndos);
    Stream.concat(
            log.entries().stream(),
            lineage.ancestors().stream().flatMap(ancestor -> ancestor.log().entries().stream()))
        .map(SessionEntry::mark)
        .forEach(mark -> undo(mark).ifPresent(undos::add));
    return undos;
  }

  private static Optional<String> undo(@Nullable SessionMark mark) {
    return switch (mark) {
      case SessionMark.Op op -> Optional.ofNullable(op.undo());
      case SessionMark.ForkPending pending -> Optional.ofNullable(pending.undo());
      case SessionMark.Turn _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  SnapshotBindings.Standing standing(@Nullable String leaf) {
    return bindings.standing(leaf);
  }

  /// The points that files can be brought back to.
  public RestorePoints points() {
    return new RestorePoints(log, bindings, lineage, this::present);
  }

  /// The entries of a branch whose files are those of other worktrees: their numbers, by the names
  /// of the worktrees.
  public SortedMap<String, Integer> elsewhere(@Nullable String leaf) {
    List<String> absent = points().absent(leaf);
    Map<String, String> worktrees = rewind.elsewhere(Set.copyOf(absent));
    SortedMap<String, Integer> counts = new TreeMap<>();
    absent.stream()
        .map(worktrees::get)
        .filter(Objects::nonNull)
        .forEach(worktree -> counts.merge(worktree, 1, Integer::sum));
    return counts;
  }

  /// The other worktree whose files an entry stands for; empty if there is none.
  public Optional<String> elsewhereAt(String entry) {
    return points()
        .absentAt(entry)
        .map(snapshot -> rewind.elsewhere(Set.of(snapshot)).get(snapshot));
  }

  /// The file of the session; null if there is none.
  public @Nullable Path file() {
    return start.file();
  }

  /// Snapshots that it counts on and that its file may not name yet.
  public Set<String> needs() {
    Set<String> needs = new HashSet<>(lastSaid);
    RunningPrompt run = running;
    if (run != null) {
      needs.addAll(run.needed());
    }
    return needs;
  }

  /// The number of snapshots that were taken since the session began.
  public int taken() {
    return taken;
  }

  /// Takes a snapshot; if that cannot be done, says so. A session must not stop for it.
  @Nullable Snapshot capture(List<Notice> notices) {
    try {
      Snapshot snapshot = rewind.capture("");
      taken += present.add(snapshot.commit()) ? 1 : 0;
      reportLeftOut(snapshot, notices);
      return snapshot;
    } catch (StoreException e) {
      notices.add(new Notice(Level.ERROR, "The files were not captured: " + e.getMessage()));
      return null;
    }
  }

  private void reportLeftOut(Snapshot snapshot, List<Notice> notices) {
    snapshot
        .metadata()
        .ifPresent(
            metadata -> {
              for (LeftOut why : LeftOut.values()) {
                List<String> names =
                    metadata.leftOut().entrySet().stream()
                        .filter(
                            entry -> entry.getValue() == why && reportedLeftOut.add(entry.getKey()))
                        .map(entry -> entry.getKey().toString())
                        .toList();
                if (!names.isEmpty()) {
                  notices.add(leftOut(why, names));
                }
              }
            });
  }

  private static Notice leftOut(LeftOut why, List<String> names) {
    int more = names.size() - LISTED_AT_ONCE;
    return new Notice(
        why == LeftOut.REPOSITORY || why == LeftOut.LINKED ? Level.INFO : Level.WARNING,
        "Not captured, and never touched ("
            + why.words()
            + "): "
            + String.join(", ", names.subList(0, Math.min(names.size(), LISTED_AT_ONCE)))
            + (more > 0 ? " and " + more + " more" : ""));
  }

  /// An answer with marks: the bindings that they make hold from now on.
  SessionReply reply(List<SessionMark> marks, List<Notice> notices, @Nullable Snapshot snapshot) {
    if (!marks.isEmpty()) {
      lastSaid.clear();
    }
    for (SessionMark mark : marks) {
      bindings.add(mark);
      lastSaid.addAll(mark.snapshots());
      undo(mark).ifPresent(ownUndos::add);
      RunningPrompt run = running;
      if (run != null) {
        remember(run.said(mark.snapshots()));
      }
    }
    return new SessionReply(
        marks.stream().map(SessionReply.Appended::of).toList(), notices, snapshot);
  }

  private void remember(RunningPrompt run) {
    if (!run.equals(running)) {
      sideNotes.put(name(), run.text());
      running = run;
    }
  }

  private void forgetRunning() {
    sideNotes.delete(name());
    running = null;
  }

  /// True if the repository has a snapshot. Each snapshot is looked for once.
  private boolean present(String commit) {
    if (!present.contains(commit) && !absent.contains(commit)) {
      ask(Set.of(commit));
    }
    return present.contains(commit);
  }

  private void ask(Set<String> commits) {
    Set<String> found = rewind.present(commits);
    present.addAll(found);
    commits.stream().filter(commit -> !found.contains(commit)).forEach(absent::add);
  }
}
