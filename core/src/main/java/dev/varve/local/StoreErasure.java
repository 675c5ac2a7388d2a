// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ContextHold;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.turn.HoldTable;
import java.time.InstantSource;
import java.util.List;

/// Plans erasures in an open store, and carries out what closes the store: erasures, and the way
/// back for erased content. Holds are respected.
final class StoreErasure {

  private final Disk disk;
  private final StoreRoot root;
  private final StoreFiles files;
  private final StoreGeometry geometry;
  private final InstantSource clock;
  private final Committer committer;
  private final HoldTable holds;
  private final StoreClosing closing;

  StoreErasure(
      Disk disk,
      StoreRoot root,
      StoreFiles files,
      StoreGeometry geometry,
      InstantSource clock,
      Committer committer,
      HoldTable holds,
      StoreClosing closing) {
    this.disk = disk;
    this.root = root;
    this.files = files;
    this.geometry = geometry;
    this.clock = clock;
    this.committer = committer;
    this.holds = holds;
    this.closing = closing;
  }

  PlannedErasure plan(EraseRequest request, ReadProgress progress) {
    StoreException.Corrupt forgotten = files.blobs.erased().damage();
    if (forgotten != null) {
      throw forgotten;
    }
    List<ContextHold> lasting = holds.lasting();
    return new PlannedErasure(
        new ErasurePlanner(files, committer.position(), request, lasting, progress).select(),
        lasting);
  }

  EraseReceipt eraseAndClose(PlannedErasure planned, ReadProgress progress) {
    return closing.switching(
        () -> {
          if (!committer.position().equals(planned.selection().position())) {
            throw new StoreException.Conflict(
                "the store to erase from", "the state that was planned for", "a later one");
          }
          if (!planned.holds().containsAll(holds.lasting())) {
            throw new StoreException.Conflict(
                "the store to erase from", "the holds that were planned for", "other holds");
          }
          return new ErasureRun(disk, files, root, geometry, planned.selection(), clock.instant())
              .prepare(progress);
        });
  }

  int readmitAndClose(Payload content) {
    return closing.switching(
        () ->
            new ReadmissionRun(disk, root, files.blobs.erased())
                .prepare(ReadmissionRun.names(content, geometry.chunks())));
  }
}
