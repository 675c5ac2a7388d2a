// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.EraseReceipt;
import dev.varve.ErasedBlob;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.ErasedTable;
import dev.varve.blob.PieceNames;
import dev.varve.disk.Disk;
import dev.varve.erase.ReceiptFile;
import dev.varve.erasure.ErasureSelection;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Carries out an erasure: writes all new files under names of their own, most of them while the
/// store is written to. Closed without having been finished, the run leaves the store as it was.
final class ErasureRun implements AutoCloseable {

  private final Disk disk;
  private final StoreFiles files;
  private final StoreRoot root;
  private final StoreGeometry geometry;
  private final FileSurvey survey;
  private final ErasureSelection selection;
  private final PackRewrite rewrite;
  private boolean finished;

  /// @param survey the moment of the store of which the selection was made
  ErasureRun(
      Disk disk,
      StoreFiles files,
      StoreGeometry geometry,
      FileSurvey survey,
      ErasureSelection selection) {
    this.disk = disk;
    this.files = files;
    this.root = files.root();
    this.geometry = geometry;
    this.survey = survey;
    this.selection = selection;
    ErasureSwitch.clear(disk);
    requireRoom();
    try {
      this.rewrite = new PackRewrite(disk, files, geometry, selection);
    } catch (RuntimeException | Error e) {
      clearAfter(e);
      throw e;
    }
  }

  /// Refuses before anything is written: a copy that fills the disk takes the room of those who
  /// write meanwhile, and their store would accept no more changes.
  private void requireRoom() {
    long neededBytes = survey.endBytes() - selection.plan().counts().packBytes();
    long freeBytes = disk.freeBytes();
    if (freeBytes > 0 && freeBytes < neededBytes) { // some systems report 0
      throw new StoreException.Full(
          ErasureSwitch.unswitched(BlobPack.FILE),
          new IllegalStateException(neededBytes + " bytes for a copy, " + freeBytes + " free"));
    }
  }

  /// Copies what stays of the store up to a position. Others may write behind the position.
  void copy(StorePosition to, ReadProgress progress) {
    rewrite.copy(to, progress);
  }

  /// Completes the new files. The journal was just closed, all files are forced, and nobody writes.
  /// Nothing is decided yet.
  ///
  /// @param last where the store stands
  EraseReceipt finish(StorePosition last, Instant now, ReadProgress progress) {
    Checkpoint former =
        Checkpoint.read(disk, root.shortId())
            .filter(Checkpoint::clean)
            .orElseThrow(
                () -> new StoreException.Corrupt(Checkpoint.FILE, 0, "a closed store", "none"));
    int run = Math.toIntExact(root.erasures() + 1);
    List<ErasedBlob> erased = selection.erased(survey, now, run);
    rewrite.finish(former, last, progress, run);
    ErasedTable.write(
        disk, ErasureSwitch.unswitched(ErasedTable.FILE), root.shortId(), remembered(erased));
    EraseReceipt receipt =
        new EraseReceipt(
            root.storeId(),
            run,
            now,
            selection.plan(),
            erased.stream().map(ErasedBlob::hash).toList(),
            new EraseReceipt.PackBytes(last.ends().packEnd(), rewrite.packBytes()));
    ReceiptFile.write(disk, ErasureSwitch.unswitched(ReceiptFile.name(run)), receipt);
    rewrite.close();
    finished = true;
    return receipt;
  }

  /// Clears the files that were written before a refusal; the next opening does so if this cannot.
  private void clearAfter(Throwable refusal) {
    try {
      ErasureSwitch.clear(disk);
    } catch (StoreException e) {
      refusal.addSuppressed(e);
    }
  }

  /// Clears the files of a run that was not finished; the next opening does so if this cannot.
  @Override
  public void close() {
    if (!finished) {
      finished = true;
      try {
        rewrite.close();
      } finally {
        ErasureSwitch.clear(disk);
      }
    }
  }

  /// All names that the store is to remember, in the order of the table: those from before, those
  /// of the blobs that go, and those of pieces that would bring the content of these back.
  private List<ErasedBlob> remembered(List<ErasedBlob> fresh) {
    Map<BlobHash, ErasedBlob> all = new HashMap<>();
    files.blobs.erased().each(known -> all.put(known.hash(), known));
    fresh.forEach(known -> all.put(known.hash(), known));
    for (ErasedBlob whole : fresh) {
      if (!whole.readmitted() && whole.sizeBytes() > geometry.chunks().maxBytes()) {
        PieceNames.of(files.blobs, whole.hash(), geometry.chunks())
            .forEach(
                (hash, sizeBytes) -> {
                  if (files.blobs.find(hash) < 0) {
                    all.compute(
                        hash,
                        (_, known) ->
                            known != null && !known.readmitted()
                                ? known
                                : new ErasedBlob(
                                    hash, sizeBytes, whole.cause(), whole.erasedAt(), whole.run()));
                  }
                });
      }
    }
    return all.values().stream().sorted((a, b) -> ErasedTable.compare(a.hash(), b.hash())).toList();
  }
}
