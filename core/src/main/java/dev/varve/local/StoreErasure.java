// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextHold;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.blob.PieceNames;
import dev.varve.disk.Disk;
import dev.varve.erasure.ErasurePlanner;
import dev.varve.erasure.ErasureSelection;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HoldTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plans erasures in an open store and carries them out, and the way back for erased content, which
/// closes the store. Holds are respected.
final class StoreErasure implements StoreErasures {

  /// The longest that an erasure waits for a large blob that is being put: what the put found in
  /// the store must not go before the blob is there.
  private static final Duration GRACE = Duration.ofSeconds(60);

  /// Others wait while so many bytes are copied. What is more is copied beside them, unless they
  /// write faster than that.
  private static final long NEAR_BYTES = 1 << 20;

  private static final int ROUNDS_MAX = 8;

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

  /// The last plan, for an erasure that is agreed to soon after. Some bits for each blob.
  private volatile @Nullable Planned latest;

  /// A plan, and all of which it was made.
  private record Planned(
      FileSurvey survey,
      EraseRequest request,
      List<ContextHold> lasting,
      ErasureSelection selection) {}

  @Override
  public ErasePlan plan(EraseRequest request, ReadProgress progress) {
    closing.requireOpen();
    Planned planned = planNow(request, progress);
    latest = planned;
    if (!planned.survey().isOf(files.blobs)) {
      latest = null; // the former pack's space is to come back
    }
    return planned.selection().plan();
  }

  private Planned planNow(EraseRequest request, ReadProgress progress) {
    List<ContextHold> lasting = holds.lasting();
    FileSurvey survey = survey();
    return new Planned(
        survey,
        request,
        lasting,
        new ErasurePlanner(survey, survey, request, lasting, progress).select());
  }

  /// The plan that somebody agreed to. The last one serves as long as the store is as it was; for a
  /// collection also later, when what has become garbage since is left to the next.
  ///
  /// @throws StoreException.Conflict if there is another plan by now
  private Planned agreed(EraseRequest request, BlobHash digest, ReadProgress progress) {
    Planned known = latest;
    latest = null;
    if (known != null
        && known.request().equals(request)
        && known.selection().plan().digest().equals(digest)
        && known.lasting().equals(holds.lasting())
        && known.survey().isOf(files.blobs)
        && (request.hidden() || known.survey().position().equals(committer.position()))) {
      return known;
    }
    Planned again = planNow(request, progress);
    again.selection().requirePlan(digest);
    return again;
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

  /// The most of the store is read and copied while others write. Then they wait until what they
  /// wrote is copied too, and the new files take their places.
  @Override
  public EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress) {
    return closing.breakable(
        () ->
            eraseBeside(
                request,
                digest,
                (done, total) -> {
                  closing.requireNotEnding();
                  progress.reached(done, total);
                }));
  }

  private EraseReceipt eraseBeside(EraseRequest request, BlobHash digest, ReadProgress progress) {
    Planned planned = agreed(request, digest, progress);
    try (ErasureRun run = run(planned)) {
      ErasureDelta delta = new ErasureDelta(files, planned.survey(), planned.selection(), request);
      StorePosition copied = planned.survey().position();
      run.copy(copied, progress);
      StorePosition now = committer.atForcedPosition(position -> position);
      // Once at least: a change of many turns need not have brought a byte.
      for (int i = 0; i < ROUNDS_MAX && (i == 0 || isFar(copied, now)) && delta.allows(now); i++) {
        run.copy(now, progress);
        copied = now;
        now = committer.atForcedPosition(position -> position);
      }
      files.forceGrowing(); // so that little is left to force while others wait
      return closing.askWhileOpen(
          () ->
              committer.alone(
                  GRACE,
                  () -> {
                    StorePosition last = committer.position();
                    return planned.lasting().equals(holds.lasting()) && delta.allows(last)
                        ? switchTo(run, last, progress)
                        : eraseAgain(run, request, digest, progress);
                  }));
    }
  }

  private ErasureRun run(Planned planned) {
    return new ErasureRun(disk, files, geometry, planned.survey(), planned.selection());
  }

  private static boolean isFar(StorePosition copied, StorePosition now) {
    return now.ends().packEnd() - copied.ends().packEnd() > NEAR_BYTES;
  }

  /// Does all again while nobody writes, because the store has changed so that the selection may
  /// not hold any more.
  private EraseReceipt eraseAgain(
      ErasureRun first, EraseRequest request, BlobHash digest, ReadProgress progress) {
    first.close();
    Planned planned = planNow(request, progress);
    planned.selection().requirePlan(digest);
    try (ErasureRun run = run(planned)) {
      return switchTo(run, planned.survey().position(), progress);
    }
  }

  private EraseReceipt switchTo(ErasureRun run, StorePosition last, ReadProgress progress) {
    EraseReceipt receipt = closing.switchingOpen(() -> run.finish(last, clock.instant(), progress));
    latest = null;
    return receipt;
  }

  int readmitAndClose(Payload content) {
    return closing.switching(
        () ->
            new ReadmissionRun(disk, files.root(), files.blobs.erased())
                .prepare(PieceNames.withWhole(content, geometry.chunks())));
  }
}
