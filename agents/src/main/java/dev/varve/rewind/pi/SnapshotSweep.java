// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RewindSettings.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Lets old snapshots go. Only the repository's ref changes; sessions stay as they are.
///
/// The sweep reads all sessions, also those whose snapshots must stay, because a snapshot that any
/// session names is needed. If a session cannot be read, no snapshot is let go.
public final class SnapshotSweep {

  /// A snapshot that no session names may belong to a prompt on which another tool's process still
  /// works.
  private static final Duration UNSAID_AT_LEAST = Duration.ofDays(1);

  private final Rewind rewind;
  private final Retention rules;
  private final Instant now;
  private final BooleanSupplier outOfTime;

  /// @param outOfTime asked now and then; once true, no snapshot is let go
  public SnapshotSweep(Rewind rewind, Retention rules, Instant now, BooleanSupplier outOfTime) {
    this.rewind = rewind;
    this.rules = rules;
    this.now = now;
    this.outOfTime = outOfTime;
  }

  /// The result of a sweep.
  ///
  /// @param dropped the snapshots that were let go, or would be
  /// @param kept the number of remaining snapshots
  /// @param pinned the number of these that are kept whatever their number and age
  /// @param why the reason why the sweep gave up without a decision; empty otherwise
  public record Result(List<Snapshot> dropped, int kept, int pinned, String why) {
    public Result {
      dropped = List.copyOf(dropped);
    }
  }

  private static final class Undecided extends Exception {
    private static final long serialVersionUID = 1;

    Undecided(String why) {
      super(why);
    }
  }

  /// Decides which snapshots to let go, and lets them go unless the decision is only to be shown.
  ///
  /// @param sessions all existing session files, of this repository and of others
  /// @param self the session for which the sweep runs; null for none, and then the sessions that
  ///   began in this worktree count instead
  /// @param alsoNeeded snapshots that a session names in entries that are not in its file yet
  public Result run(
      SourceFolder sessions, @Nullable Path self, Set<String> alsoNeeded, boolean dryRun) {
    List<Snapshot> all = rewind.snapshots();
    try {
      Set<String> pinned = new HashSet<>(rewind.inUse());
      List<Snapshot> going = going(all, sessions, self, alsoNeeded, pinned);
      if (going.size() == all.size() && !all.isEmpty()) {
        throw new Undecided("no snapshot would be left");
      }
      Set<String> names = new LinkedHashSet<>();
      going.forEach(snapshot -> names.add(snapshot.commit()));
      Set<String> dropped = dryRun || names.isEmpty() ? names : rewind.drop(names);
      int held = (int) all.stream().filter(s -> pinned.contains(s.commit())).count();
      return new Result(
          going.stream().filter(snapshot -> dropped.contains(snapshot.commit())).toList(),
          all.size() - dropped.size(),
          held,
          "");
    } catch (Undecided e) {
      return new Result(List.of(), all.size(), all.size(), String.valueOf(e.getMessage()));
    }
  }

  private List<Snapshot> going(
      List<Snapshot> all,
      SourceFolder sessions,
      @Nullable Path self,
      Set<String> alsoNeeded,
      Set<String> pinned)
      throws Undecided {
    Set<String> kept = new HashSet<>();
    all.forEach(snapshot -> kept.add(snapshot.commit()));
    Set<Path> own = self == null ? Set.of() : family(self);
    Set<String> mine = new HashSet<>();
    Set<String> others = new HashSet<>();
    if (!sessions.unreadable().isEmpty()) {
      throw new Undecided("a session cannot be read: " + sessions.unreadable().getFirst().file());
    }
    for (Path file : sessions.files()) {
      if (outOfTime.getAsBoolean()) {
        throw new Undecided("the time for it was over");
      }
      SessionLog log = read(file);
      if (log == null) {
        continue;
      }
      SnapshotClaims claims = SnapshotClaims.of(log, new SnapshotBindings(log));
      pinned.addAll(claims.standing());
      if (rules.pinLabelled()) {
        pinned.addAll(claims.labelled());
      }
      boolean isMine =
          self == null ? beganHere(log) : own.contains(file.toAbsolutePath().normalize());
      (isMine ? mine : others).addAll(claims.named());
    }
    pinned.addAll(alsoNeeded);
    for (String text : rewind.sideNotes(RunningPrompt.FOLDER).everywhere()) {
      RunningPrompt.parse(text).ifPresent(running -> pinned.addAll(running.needed()));
    }
    pinned.retainAll(kept);
    return beyond(
        all.stream()
            .filter(snapshot -> !pinned.contains(snapshot.commit()))
            .filter(snapshot -> mayGo(snapshot, mine, others))
            .toList());
  }

  private boolean mayGo(Snapshot snapshot, Set<String> mine, Set<String> others) {
    boolean named = mine.contains(snapshot.commit()) || others.contains(snapshot.commit());
    return rules.everySession()
        ? named || snapshot.at().isBefore(now.minus(UNSAID_AT_LEAST))
        : mine.contains(snapshot.commit()) && !others.contains(snapshot.commit());
  }

  /// The candidates that are too old, or too many.
  private List<Snapshot> beyond(List<Snapshot> candidates) {
    List<Snapshot> newest = new ArrayList<>(candidates);
    newest.sort(Comparator.comparing(Snapshot::at).reversed());
    Long most = rules.snapshotsMax();
    Double days = rules.daysMax();
    Instant oldest =
        days == null || days > 1_000_000
            ? Instant.MIN
            : now.minusSeconds((long) (days * Duration.ofDays(1).toSeconds()));
    List<Snapshot> going = new ArrayList<>();
    for (int i = 0; i < newest.size(); i++) {
      if (most != null && i >= most || newest.get(i).at().isBefore(oldest)) {
        going.add(newest.get(i));
      }
    }
    return going;
  }

  /// The session and the sessions from which it was forked.
  private static Set<Path> family(Path self) throws Undecided {
    Set<Path> family = new HashSet<>(Set.of(self.toAbsolutePath().normalize()));
    if (Files.exists(self)) {
      SessionLog log = read(self);
      String parent = log == null || log.header() == null ? null : log.header().parentSession();
      SessionLineage.of(self, parent).ancestors().forEach(ancestor -> family.add(ancestor.file()));
    }
    return family;
  }

  private boolean beganHere(SessionLog log) {
    if (log.header() == null) {
      return false;
    }
    try {
      Path began = Path.of(log.header().cwd());
      return (Files.exists(began) ? began.toRealPath() : began)
          .startsWith(rewind.root().toRealPath());
    } catch (IOException | java.nio.file.InvalidPathException e) {
      return false;
    }
  }

  /// The log of a session; null if the session has no marks of snapshots.
  private static @Nullable SessionLog read(Path file) throws Undecided {
    try {
      return MarkSearch.mayHaveMarks(file) ? SessionLog.read(file) : null;
    } catch (java.nio.file.NoSuchFileException e) {
      return null; // deleted meanwhile
    } catch (IOException | StoreException.Io e) {
      throw new Undecided("a session cannot be read: " + file);
    }
  }
}
