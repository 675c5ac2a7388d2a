// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.erasure.ErasurePlanner;
import dev.varve.erasure.ErasureSelection;
import dev.varve.turn.HoldTable;
import java.time.Duration;
import java.time.InstantSource;

/// Plans erasures in an open store and carries them out, and the way back for erased content, which
/// closes the store. Holds are respected.
final class StoreErasure implements StoreErasures {

  /// The longest that an erasure waits for a large blob that is being put: what the put found in
  /// the store must not go before the blob is there.
  private static final Duration GRACE = Duration.ofSeconds(60);

  private final Disk disk;
  private final StoreFiles files;
  private final StoreGeometry geometry;
  private final InstantSource clock;
  private final Committer committer;
  private final HoldTable holds;
  private final StoreClosing closing;

  StoreErasure(
      Disk disk,
      StoreFiles files,
      StoreGeometry geometry,
      InstantSource clock,
      Committer committer,
      HoldTable holds,
      StoreClosing closing) {
    this.disk = disk;
    this.files = files;
    this.geometry = geometry;
    this.clock = clock;
    this.committer = committer;
    this.holds = holds;
    this.closing = closing;
  }

  @Override
  public ErasePlan plan(EraseRequest request, ReadProgress progress) {
    closing.requireOpen();
    return select(survey(), request, progress).plan();
  }

  private FileSurvey survey() {
    StoreException.Corrupt forgotten = files.blobs.erased().damage();
    if (forgotten != null) {
      throw forgotten;
    }
    // Beside an erasure, the position and the pack must be of one moment.
    return committer.atForcedPosition(
        position -> new FileSurvey(files, position, files.blobs, geometry.chunks()));
  }

  private ErasureSelection select(FileSurvey survey, EraseRequest request, ReadProgress progress) {
    return new ErasurePlanner(survey, survey, request, holds.lasting(), progress).select();
  }

  @Override
  public EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress) {
    return closing.askWhileOpen(
        () -> committer.alone(GRACE, () -> eraseAlone(request, digest, progress)));
  }

  private EraseReceipt eraseAlone(EraseRequest request, BlobHash digest, ReadProgress progress) {
    FileSurvey survey = survey();
    ErasureSelection selection = select(survey, request, progress);
    selection.requirePlan(digest);
    return closing.switchingOpen(
        () ->
            new ErasureRun(disk, files, geometry, survey, selection, clock.instant())
                .prepare(progress));
  }

  int readmitAndClose(Payload content) {
    return closing.switching(
        () ->
            new ReadmissionRun(disk, files.root(), files.blobs.erased())
                .prepare(ReadmissionRun.names(content, geometry.chunks())));
  }
}
