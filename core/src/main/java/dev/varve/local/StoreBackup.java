// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BackupReport;
import dev.varve.CheckReport;
import dev.varve.CheckReport.Problem;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.blob.ErasedTable;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.DiskLock;
import dev.varve.disk.FilePair;
import dev.varve.disk.LocalDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Checkpoint.State;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HoldTable;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One run of a backup: brings a folder to the state of a store at one moment, and copies only what
/// the folder lacks. Other programs may use the store meanwhile.
///
/// The folder is a store itself, of the moment of the last run that was completed. Its
/// `checkpoint.tbl` says where that moment is, and that nothing behind it counts ([State#BACKUP]);
/// a run writes behind it, and replaces the checkpoint when everything is forced. So a run that
/// breaks off anywhere leaves the former backup, and the next run goes on with what is there.
/// Derived files are not copied: whoever opens the folder makes them.
public final class StoreBackup implements AutoCloseable {

  /// So much of what an earlier run copied is compared with the store again, before anything is
  /// written: a store that is not the continuation of the backup differs there.
  private static final long OVERLAP_BYTES = 64 << 10;

  private static final List<String> PRIMARY =
      StoreFiles.GROWING.stream().filter(name -> !StoreFiles.DERIVED.contains(name)).toList();

  private final Disk source;
  private final Disk target;
  private final DiskLock lock;
  private final StoreRoot root;

  /// The position of the backup before the run, and the position after it.
  private final Checkpoint from;

  private final Checkpoint to;
  private final List<Problem> problems = new ArrayList<>();
  private ReadProgress progress = ReadProgress.NONE;
  private long totalBytes;
  private long doneBytes;
  private long copiedBytes;
  private long mendedBytes;

  private StoreBackup(
      Disk source, Disk target, DiskLock lock, StoreRoot root, Checkpoint from, Checkpoint to) {
    this.source = source;
    this.target = target;
    this.lock = lock;
    this.root = root;
    this.from = from;
    this.to = to;
  }

  /// Prepares a run, and makes the folder if it is absent. Nothing is copied yet.
  ///
  /// @param store the store's folder
  /// @param point what [dev.varve.Store#backupPoint] of the store answered
  /// @param folder an earlier backup of the same store, or an empty or absent folder
  /// @throws StoreException.Invalid if the folder is the store's own or within it
  /// @throws StoreException.Conflict if the folder has other files, is of another store, or was
  ///   written to as a store
  /// @throws StoreException.Busy if the folder is in use
  public static StoreBackup begin(Path store, Payload point, Path folder) {
    refuseInside(store, folder);
    return begin(LocalDisk.openReadOnly(store), point, LocalDisk.open(folder));
  }

  private static void refuseInside(Path store, Path folder) {
    Path existing = folder.toAbsolutePath().normalize();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    try {
      if (existing.toRealPath().startsWith(store.toRealPath())) {
        throw new StoreException.Invalid(
            "folder of a backup", "expected one outside the store, found " + folder);
      }
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be looked into", e);
    }
  }

  static StoreBackup begin(Disk source, Payload point, Disk target) {
    StoreRoot root = StoreRoot.read(source);
    Checkpoint to =
        Checkpoint.of(point.unsafeArray(), root.shortId())
            .filter(moment -> moment.erasures() == root.erasures() && !root.switching())
            .orElseThrow(
                () ->
                    new StoreException.Conflict(
                        "the moment to copy",
                        "one of store " + root.storeId() + ", since its last erasure",
                        "another"));
    DiskLock lock =
        target.lock(
            StorePlace.LOCK, "process " + ProcessHandle.current().pid() + ", writing a backup");
    try {
      return new StoreBackup(source, target, lock, root, standing(root, target), to);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /// Where the backup in a folder stands: at the beginning if nothing is there.
  private static Checkpoint standing(StoreRoot root, Disk target) {
    String place = "the backup in " + target.describe();
    boolean complete = StoreRoot.isIn(target);
    if (complete && !StoreRoot.read(target).storeId().equals(root.storeId())) {
      throw new StoreException.Conflict(
          place, "store " + root.storeId(), "store " + StoreRoot.read(target).storeId());
    }
    if (complete && StoreRoot.read(target).erasures() != root.erasures()) {
      throw new StoreException.Conflict(
          place,
          "a backup made since the last erasure of the store",
          "one that still has what was erased: make a new backup, and delete this one");
    }
    Optional<Checkpoint> kept = Checkpoint.read(target, root.shortId());
    if (complete && kept.isEmpty()) {
      throw new StoreException.Corrupt(
          Checkpoint.FILE, 0, "where " + place + " ends", "no whole checkpoint");
    }
    if (complete && (!kept.get().clean() || Journal.isOn(target))) {
      throw new StoreException.Conflict(
          place, "a store that was closed", "one that was not: 'varve check' opens and closes it");
    }
    boolean unfinished =
        kept.isPresent()
            && kept.get().state() == State.BACKUP
            && kept.get().erasures() == root.erasures();
    if (kept.isPresent() && (complete || unfinished)) {
      return kept.get();
    }
    if (!StorePlace.isVacant(target)) {
      throw new StoreException.Conflict(
          place, "an earlier backup of the store, or an empty folder", "other files");
    }
    List<byte[]> noTails = Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]);
    return new Checkpoint(0, State.CLOSED, StorePosition.START, noTails);
  }

  /// Copies what the backup lacks, verifies the records that are new, and completes the backup. The
  /// backup survives a power cut when this returns.
  ///
  /// @param verify whether to compare also everything that earlier runs copied. Checksums show
  ///   which side is damaged: bytes that are damaged only in the backup are mended
  /// @throws StoreException.Corrupt if the store and the backup differ in what was copied earlier,
  ///   and `verify` is not asked for; nothing is changed then
  public BackupReport run(boolean verify, ReadProgress listener) {
    long[] starts = StoreFiles.ends(from.position());
    long[] ends = StoreFiles.ends(to.position());
    progress = listener;
    totalBytes = 0;
    for (String name : PRIMARY) {
      int i = StoreFiles.GROWING.indexOf(name);
      if (ends[i] < starts[i]) {
        throw new StoreException.Corrupt(
            name, ends[i], "at least the " + starts[i] + " bytes of the backup", "the end");
      }
      totalBytes += 2 * (ends[i] - starts[i]) + comparedBytes(starts[i], verify);
    }
    boolean same = true;
    for (String name : PRIMARY) {
      int i = StoreFiles.GROWING.indexOf(name);
      same &= compare(name, starts[i], verify);
    }
    if (same) {
      markUnfinished();
      for (String name : PRIMARY) {
        int i = StoreFiles.GROWING.indexOf(name);
        copy(name, starts[i], ends[i]);
      }
      complete();
    }
    StorePosition position = same ? to.position() : from.position();
    return new BackupReport(
        root.storeId(),
        copiedBytes,
        heldBytes(position),
        mendedBytes,
        position.ends().turns(),
        position.counts().blobs(),
        newestTurn(position),
        problems);
  }

  private static long comparedBytes(long start, boolean verify) {
    return verify ? start : Math.min(start, OVERLAP_BYTES);
  }

  private static long heldBytes(StorePosition position) {
    long[] ends = StoreFiles.ends(position);
    return PRIMARY.stream().mapToLong(name -> ends[StoreFiles.GROWING.indexOf(name)]).sum();
  }

  // ---- what earlier runs copied

  /// Compares the bytes of a file that an earlier run copied, and mends the backup where that is
  /// possible.
  ///
  /// @return whether the backup has what the store has now
  private boolean compare(String name, long end, boolean verify) {
    if (end == 0) {
      return true;
    }
    try (DiskFile in = source.open(name);
        DiskFile out = target.open(name)) {
      refuseIfErasedMeanwhile();
      FilePair pair = new FilePair(in, out);
      long at = end - comparedBytes(end, verify);
      long different = pair.firstDifference(at, end, this::passed);
      if (different < 0) {
        return true;
      }
      if (!verify) {
        throw new StoreException.Corrupt(
            name,
            different,
            "what the backup in " + target.describe() + " has",
            "other bytes; 'varve backup --verify' says which of the two is damaged");
      }
      long storeWhole = wholeUpTo(source, name, 0, end);
      refuseIfErasedMeanwhile(); // the file was opened once more
      long backupWhole = wholeUpTo(target, name, 0, end);
      if (storeWhole == end && backupWhole < end) {
        mendedBytes += pair.copy(different, end, _ -> {});
        out.force();
        return true;
      }
      String what =
          storeWhole < end
              ? "damaged in the store" + (backupWhole == end ? ", whole in the backup" : "")
              : "other content than in the backup, whole in both: they have parted";
      add(name, storeWhole < end ? storeWhole : different, what);
      if (storeWhole < end && backupWhole < end) {
        add(name, backupWhole, "damaged in the backup");
      }
      return storeWhole < end && backupWhole == end; // the backup is the better one, and goes on
    }
  }

  private void passed(long bytes) {
    doneBytes += bytes;
    progress.reached(doneBytes, totalBytes);
  }

  private void add(String file, long offset, String what) {
    problems.add(new Problem(file, offset, file + " at byte " + offset + ": " + what, false));
  }

  private long wholeUpTo(Disk disk, String name, long start, long end) {
    try (AppendFile file = AppendFile.open(disk, name, StoreGeometry.DEFAULTS.growth())) {
      return WholeRecords.upTo(file, root.shortId(), start, end);
    }
  }

  // ---- what is new

  /// Says in the folder that nothing behind the present end counts, before anything stands there.
  private void markUnfinished() {
    StoreFiles.DERIVED.forEach(target::delete);
    if (from.state() != State.BACKUP) {
      target.delete(StoreRoot.FILE_NEW);
      write(
          new Checkpoint(
              from.seq() + 1, State.BACKUP, from.position(), from.tails(), root.erasures()));
    }
    target.forceNames();
  }

  private void copy(String name, long start, long end) {
    try (DiskFile in = source.open(name);
        DiskFile out = target.open(name)) {
      refuseIfErasedMeanwhile();
      copiedBytes += end - start;
      new FilePair(in, out).copy(start, end, this::passed);
      out.resize(end);
      out.force();
    }
    long whole = wholeUpTo(target, name, start, end);
    if (whole < end) {
      add(name, whole, "damaged in the store; the backup has it as it is there");
    }
    passed(end - start);
  }

  private void complete() {
    refuseIfErasedMeanwhile();
    copyErased();
    boolean placed = StoreRoot.read(source).holdsPlaced(); // a hold may have been placed meanwhile
    copyHolds(placed);
    target.forceNames();
    long seq = from.seq() + (from.state() == State.BACKUP ? 1 : 2); // into the other slot
    write(new Checkpoint(seq, State.BACKUP, to.position(), tails(), root.erasures()));
    // Not the root as it is by now: an erasure may have begun, and the backup has what goes.
    StoreRoot last = placed ? root.afterHold() : root;
    if (!StoreRoot.isIn(target) || !StoreRoot.read(target).equals(last)) {
      last.write(target); // from here on the folder is a store
    }
  }

  /// The files of a store are replaced by an erasure, which the store's lock does not keep from
  /// happening while they are copied. The root changes before any file does: while the root is the
  /// same, a file that was opened before is the one to copy.
  private void refuseIfErasedMeanwhile() {
    StoreRoot now = StoreRoot.read(source);
    if (!now.storeId().equals(root.storeId()) || now.erasures() != root.erasures()) {
      throw new StoreException.Conflict(
          "the store in " + source.describe(),
          root.erasures() + " erasures, as at the beginning of the backup",
          "another one since: repeat the backup into a new folder");
    }
  }

  /// The names of erased blobs are copied whole: they are changed by an erasure alone.
  private void copyErased() {
    if (root.erasures() == 0) {
      return;
    }
    try (DiskFile in = source.open(ErasedTable.FILE);
        DiskFile out = target.open(ErasedTable.FILE)) {
      refuseIfErasedMeanwhile();
      new FilePair(in, out).copy(0, in.sizeBytes(), _ -> {});
      out.resize(in.sizeBytes());
      out.force();
    }
  }

  /// The holds are copied as they are at the end of the run: each change replaces their file. Where
  /// the store's file is damaged or missing, the backup keeps the file that it has.
  ///
  /// @param placed whether the store ever had a hold
  private void copyHolds(boolean placed) {
    HoldTable holds =
        new HoldTable(source, root.shortId(), placed, InstantSource.system(), (_, _) -> {});
    if (holds.damage() != null) {
      add(HoldTable.FILE, 0, "damaged or missing in the store; the backup keeps what it had");
      return;
    }
    if (!source.exists(HoldTable.FILE)) {
      target.delete(HoldTable.FILE);
      return;
    }
    target.delete(HoldTable.FILE_NEW);
    try (DiskFile in = source.open(HoldTable.FILE);
        DiskFile out = target.open(HoldTable.FILE_NEW)) {
      new FilePair(in, out).copy(0, in.sizeBytes(), _ -> {});
      out.force();
    }
    target.replace(HoldTable.FILE_NEW, HoldTable.FILE);
  }

  /// The last blocks of the backup's own files: the store's may be damaged where the backup is
  /// whole.
  private List<byte[]> tails() {
    List<byte[]> tails = new ArrayList<>(to.tails());
    long[] ends = StoreFiles.ends(to.position());
    for (String name : PRIMARY) {
      int i = StoreFiles.GROWING.indexOf(name);
      ByteBuffer tail = ByteBuffer.allocate(tails.get(i).length);
      try (DiskFile file = target.open(name)) {
        file.read(ends[i] - tail.capacity(), tail);
      }
      tails.set(i, tail.array());
    }
    return tails;
  }

  private void write(Checkpoint checkpoint) {
    try (DiskFile file = target.open(Checkpoint.FILE)) {
      checkpoint.write(file, root.shortId());
    }
  }

  private CheckReport.@Nullable NewestTurn newestTurn(StorePosition position) {
    try (AppendFile log = AppendFile.open(target, TurnLog.LOG, StoreGeometry.DEFAULTS.growth())) {
      for (long ordinal = position.ends().turns() - 1; ordinal >= 0; ordinal--) {
        long offset = ordinal * TurnRecord.SIZE_BYTES;
        MemorySegment bytes = log.at(offset, TurnRecord.SIZE_BYTES);
        if (TurnRecord.valid(bytes)) {
          TurnRecord turn = TurnRecord.read(bytes, TurnLog.LOG, offset);
          return new CheckReport.NewestTurn(
              new TurnId(turn.turnId()), Instant.ofEpochMilli(turn.createdAtUnixMs()));
        }
      }
      return null;
    }
  }

  /// Lets go of the folder.
  @Override
  public void close() {
    lock.close();
  }
}
