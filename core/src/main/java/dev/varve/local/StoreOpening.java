// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.CheckReport;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.blob.BlobPreparation;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskLock;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.turn.HoldTable;
import java.nio.file.ReadOnlyFileSystemException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Opens a store on a disk: takes the lock, recovers the files, and puts the parts of the store
/// together. Where the opening fails, the lock is given back.
final class StoreOpening {

  /// The parts of an open store.
  record Parts(
      StoreFiles files,
      StoreLimits limits,
      Committer committer,
      BlobWriter writer,
      TurnReader reader,
      HoldTable holds,
      StoreReport report,
      StoreErasure erasure,
      StoreClosing closing) {}

  private final Disk disk;
  private final StoreOptions options;
  private final InstantSource clock;
  private final StoreGeometry geometry;

  StoreOpening(Disk disk, StoreOptions options, InstantSource clock, StoreGeometry geometry) {
    this.disk = disk;
    this.options = options;
    this.clock = clock;
    this.geometry = geometry;
  }

  /// Opens the store to read and to write, making one if the disk is empty.
  ///
  /// @param underived whether the derived files are deleted before, and made again
  Parts toWrite(boolean underived) {
    StorePlace.requireStoreOrVacant(disk);
    DiskLock lock =
        disk.lock(
            StorePlace.LOCK,
            "process " + ProcessHandle.current().pid() + " since " + clock.instant());
    try {
      if (disk.exists(HoldTable.FILE_NEW)) {
        disk.delete(HoldTable.FILE_NEW);
      }
      StoreRoot root =
          StoreRoot.isIn(disk)
              ? ErasureSwitch.complete(disk, StoreRoot.read(disk))
              : StorePlace.make(disk, clock.instant());
      if (underived) {
        StoreFiles.DERIVED.forEach(disk::delete);
        disk.forceNames();
      }
      return started(lock, root, underived, _ -> {});
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /// Opens the store to read only.
  ///
  /// @throws StoreException.Io if the store would have to be recovered first
  Parts toRead() {
    DiskLock lock = disk.lock(StorePlace.LOCK, "");
    try {
      StoreRoot root = StoreRoot.read(disk);
      boolean clean = Checkpoint.read(disk, root.shortId()).map(Checkpoint::clean).orElse(false);
      if (!clean || Journal.isOn(disk) || root.switching()) {
        throw readOnly("not closed in order, and recovering it would change it");
      }
      return started(
          lock, root, false, committer -> committer.refuse(readOnly("opened for reading only")));
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private StoreException.Io readOnly(String reason) {
    return new StoreException.Io(disk.describe(), reason, new ReadOnlyFileSystemException());
  }

  /// @param before prepares the committer before it takes any change
  private Parts started(
      DiskLock lock, StoreRoot root, boolean underived, Consumer<Committer> before) {
    Parts parts = parts(lock, root, Recovery.open(disk, root, options, geometry, underived));
    before.accept(parts.committer());
    parts.committer().start();
    return parts;
  }

  private Parts parts(DiskLock lock, StoreRoot root, Recovery.Opened opened) {
    StoreFiles files = opened.files();
    StoreLimits limits = options.limits();
    StoreException.Corrupt forgotten = files.blobs.erased().damage();
    Journal journal = new Journal(disk, geometry.journal());
    Checkpointer checkpointer = new Checkpointer(disk, files, journal, opened.checkpointSeq());
    StoreException.Full full = checkpoint(opened, checkpointer, journal);
    Committer committer =
        new Committer(
            files,
            new CommitWriter(
                files, journal, checkpointer, options.durability(), geometry, root.shortId()),
            options.durability(),
            limits,
            clock,
            geometry,
            root.shortId(),
            opened.position(),
            full != null ? full : forgotten);
    StoreClosing closing = new StoreClosing(disk, lock, files, journal, checkpointer, committer);
    BlobWriter writer =
        new BlobWriter(
            files,
            new BlobPreparation(() -> files.blobs, options.zstdLevel()),
            committer,
            limits,
            geometry.chunks(),
            closing::requireOpen);
    TurnReader reader = new TurnReader(files, limits);
    HoldTable holds =
        new HoldTable(
            disk,
            root.shortId(),
            root.holdsPlaced(),
            clock,
            (context, write) ->
                closing.whileOpen(
                    () -> {
                      committer.refuseIfFailed();
                      reader.head(context);
                      if (write.getAsBoolean()) {
                        files.recordHolds();
                      }
                    }));
    List<CheckReport.Problem> findings =
        withDamage(withDamage(opened.findings(), forgotten), holds.damage());
    return new Parts(
        files,
        limits,
        committer,
        writer,
        reader,
        holds,
        new StoreReport(disk, files, committer, findings),
        new StoreErasure(disk, files, geometry, clock, committer, holds, closing),
        closing);
  }

  /// Makes what was recovered durable where it belongs.
  ///
  /// @return the reason why this was not possible: what was recovered can be read, and is recovered
  ///   again when there is room
  private static StoreException.@Nullable Full checkpoint(
      Recovery.Opened opened, Checkpointer checkpointer, Journal journal) {
    try {
      if (opened.changed()) {
        checkpointer.now(opened.position(), true);
        journal.close(true);
      }
      return null;
    } catch (StoreException.Full e) {
      return e;
    } catch (RuntimeException | Error e) {
      opened.files().close(false);
      throw e;
    }
  }

  private static List<CheckReport.Problem> withDamage(
      List<CheckReport.Problem> findings, StoreException.@Nullable Corrupt damage) {
    if (damage == null) {
      return findings;
    }
    List<CheckReport.Problem> all = new ArrayList<>(findings);
    all.add(
        new CheckReport.Problem(
            damage.file(), damage.offset(), String.valueOf(damage.getMessage()), false));
    return List.copyOf(all);
  }
}
