// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.checkpoint.LeftOut;
import dev.varve.checkpoint.Margins;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.ledger.Reply.Level;
import dev.varve.ledger.Reply.Notice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A session that an agent works in: what it says so far, and the worktree it works on. For one
/// thread.
///
/// What must outlive this process between two marks lies on the disk, see [RunningPrompt].
public final class LiveSession {

  private static final int TOLD_AT_ONCE = 5;

  private final Rewind rewind;
  private final Start start;
  private final SessionLog log;
  private final Bindings bindings;
  private final Lineage lineage;
  private final Margins margins;
  private final Set<String> present = new HashSet<>();
  private final Set<String> absent = new HashSet<>();
  private final Set<String> lastSaid = new HashSet<>();
  private final Set<String> ownUndos = new HashSet<>();
  private final Set<RepoPath> toldLeftOut = new HashSet<>();
  private @Nullable RunningPrompt running;
  private int taken;

  /// How a session begins.
  ///
  /// @param file where it is; null if it is kept nowhere. The file may not exist yet
  /// @param id the session's id
  /// @param parent the session that it was forked from; null if it was not
  /// @param previous the session that was open before; null if there was none
  /// @param reason `startup`, `reload`, `new`, `resume`, `fork`, or `restart` of this process
  /// @param entries those that are not in the file yet
  public record Start(
      @Nullable Path file,
      String id,
      @Nullable String parent,
      @Nullable String previous,
      String reason,
      List<SessionEntry> entries) {
    public Start {
      entries = List.copyOf(entries);
    }
  }

  private LiveSession(Rewind rewind, Start start, SessionLog log) {
    this.rewind = rewind;
    this.start = start;
    this.log = log;
    start.entries().forEach(log::add);
    this.bindings = new Bindings(log);
    String parent = start.parent();
    if (parent == null && log.header() != null) {
      parent = log.header().parentSession();
    }
    this.lineage = Lineage.of(start.file(), parent);
    this.margins = rewind.margins(RunningPrompt.FOLDER);
    ask(bindings.distinct());
  }

  /// Reads the session and its parents.
  ///
  /// @throws StoreException.Io if its file is there and cannot be read
  public static LiveSession open(Rewind rewind, Start start) {
    Path file = start.file();
    SessionLog log = file != null && Files.exists(file) ? SessionLog.read(file) : new SessionLog();
    return new LiveSession(rewind, start, log);
  }

  /// What is to be done about a session that begins: taking over where the files stand from the
  /// session it was forked from, binding a prompt that was cut off by the end of its process.
  public Reply begin() {
    List<Notice> notices = new ArrayList<>();
    if (!lineage.broken().isEmpty()) {
      notices.add(
          new Notice(Level.WARNING, "Points before the fork are not known: " + lineage.broken()));
    }
    List<Mark> marks = new ArrayList<>();
    running = margins.get(name()).flatMap(RunningPrompt::parse).orElse(null);
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
  public void tell(List<SessionEntry> entries) {
    entries.forEach(log::add);
    bindings.follow();
  }

  // ---- an agent's run

  /// A prompt begins: the files before it.
  ///
  /// @param leaf the session's last entry, before the prompt's own
  public Reply prompt(@Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    Snapshot before = capture(notices);
    remember(RunningPrompt.begun(start.id(), leaf, before == null ? null : before.commit()));
    return reply(List.of(), notices, before);
  }

  /// A turn begins. If nothing told of a prompt, it is one that began by itself.
  public Reply turnStart(@Nullable String leaf) {
    return running == null ? prompt(leaf) : Reply.NOTHING;
  }

  /// A turn ended: the files after it, and the mark.
  ///
  /// @param assistant what the agent said in it; null for the last that it said
  /// @param late whether what came before was seen too late to count on
  public Reply turnEnd(@Nullable String leaf, @Nullable String assistant, boolean late) {
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
    List<Mark> marks = new ArrayList<>();
    turns.ended(leaf, assistant, run, after == null ? null : after.commit()).ifPresent(marks::add);
    run = after == null ? run.unsure() : run.seen(after.commit());
    remember(run);
    return reply(marks, notices, after);
  }

  /// The run is over.
  public Reply agentEnd(@Nullable String leaf) {
    List<Mark> marks = new ArrayList<>();
    if (running != null) {
      new TurnMarks(log, bindings).unanswered(leaf, running).ifPresent(marks::add);
      forgetRunning();
    }
    return reply(marks, List.of(), null);
  }

  /// The session was compacted: the compaction stands for the files as they are now.
  public Reply compacted(String compaction, @Nullable String leaf) {
    List<Notice> notices = new ArrayList<>();
    Snapshot now = capture(notices);
    List<Mark> marks = new ArrayList<>();
    if (now != null) {
      marks.add(
          new Mark.Op(
              List.of(new Mark.Binding(compaction, now.commit())),
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

  /// Every snapshot that was there before a restore, as far as the session and those it was forked
  /// from tell.
  Set<String> undos() {
    Set<String> undos = new HashSet<>(ownUndos);
    Stream.concat(
            log.entries().stream(),
            lineage.ancestors().stream().flatMap(ancestor -> ancestor.log().entries().stream()))
        .map(SessionEntry::mark)
        .forEach(mark -> undo(mark).ifPresent(undos::add));
    return undos;
  }

  private static Optional<String> undo(@Nullable Mark mark) {
    return switch (mark) {
      case Mark.Op op -> Optional.ofNullable(op.undo());
      case Mark.ForkPending pending -> Optional.ofNullable(pending.undo());
      case Mark.Turn _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  Bindings.Standing standing(@Nullable String leaf) {
    return bindings.standing(leaf);
  }

  /// The points that files can be brought back to.
  public Points points() {
    return new Points(log, bindings, lineage, this::present);
  }

  /// Where the session is kept; null if nowhere.
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

  /// How many snapshots were taken since the session began.
  public int taken() {
    return taken;
  }

  /// Takes a snapshot; if that cannot be done, says so. A session must not stop for it.
  @Nullable Snapshot capture(List<Notice> notices) {
    try {
      Snapshot snapshot = rewind.capture("");
      taken += present.add(snapshot.commit()) ? 1 : 0;
      tellLeftOut(snapshot, notices);
      return snapshot;
    } catch (StoreException e) {
      notices.add(new Notice(Level.ERROR, "The files were not captured: " + e.getMessage()));
      return null;
    }
  }

  private void tellLeftOut(Snapshot snapshot, List<Notice> notices) {
    snapshot
        .facts()
        .ifPresent(
            facts -> {
              for (LeftOut why : LeftOut.values()) {
                List<String> names =
                    facts.leftOut().entrySet().stream()
                        .filter(entry -> entry.getValue() == why && toldLeftOut.add(entry.getKey()))
                        .map(entry -> entry.getKey().toString())
                        .toList();
                if (!names.isEmpty()) {
                  notices.add(leftOut(why, names));
                }
              }
            });
  }

  private static Notice leftOut(LeftOut why, List<String> names) {
    int more = names.size() - TOLD_AT_ONCE;
    return new Notice(
        why == LeftOut.REPOSITORY || why == LeftOut.LINKED ? Level.INFO : Level.WARNING,
        "Not captured, and never touched ("
            + why.words()
            + "): "
            + String.join(", ", names.subList(0, Math.min(names.size(), TOLD_AT_ONCE)))
            + (more > 0 ? " and " + more + " more" : ""));
  }

  /// An answer with marks: the bindings that they make hold from now on.
  Reply reply(List<Mark> marks, List<Notice> notices, @Nullable Snapshot snapshot) {
    if (!marks.isEmpty()) {
      lastSaid.clear();
    }
    for (Mark mark : marks) {
      bindings.add(mark);
      lastSaid.addAll(mark.snapshots());
      undo(mark).ifPresent(ownUndos::add);
      RunningPrompt run = running;
      if (run != null) {
        remember(run.said(mark.snapshots()));
      }
    }
    return new Reply(marks.stream().map(Reply.Appended::of).toList(), notices, snapshot);
  }

  private void remember(RunningPrompt run) {
    if (!run.equals(running)) {
      margins.put(name(), run.text());
      running = run;
    }
  }

  private void forgetRunning() {
    margins.delete(name());
    running = null;
  }

  /// Whether the repository has a snapshot. Asked once for each.
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
