// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreCounts;
import dev.varve.disk.Disk;
import dev.varve.hash.Blake3;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Reports on an open store as a whole: its numbers, its files, its soundness, and the point up to
/// which a backup may copy.
final class StoreReport {

  private final Disk disk;
  private final StoreFiles files;
  private final Committer committer;
  private final List<CheckReport.Problem> findings;

  /// @param findings what the opening found damaged
  StoreReport(
      Disk disk, StoreFiles files, Committer committer, List<CheckReport.Problem> findings) {
    this.disk = disk;
    this.files = files;
    this.committer = committer;
    this.findings = findings;
  }

  StoreCounts counts() {
    StorePosition position = committer.position();
    StorePosition.Counts counts = position.counts();
    return new StoreCounts(
        counts.contexts(),
        position.ends().turns(),
        counts.blobs(),
        position.ends().overlays(),
        files.types.count(),
        counts.rawBytes(),
        counts.storedBytes(),
        fileBytes().values().stream().mapToLong(Long::longValue).sum());
  }

  Map<String, Long> fileBytes() {
    Map<String, Long> sizes = disk.sizesBytes();
    sizes.remove(StorePlace.LOCK);
    return sizes;
  }

  long diskFreeBytes() {
    return disk.freeBytes();
  }

  long diskTotalBytes() {
    return disk.totalBytes();
  }

  UUID storeId() {
    return files.root().storeId();
  }

  Optional<BlobHash> historyName(long turns, long overlays) {
    StorePosition.Ends ends = committer.position().ends();
    if (turns < 0 || overlays < 0 || turns > ends.turns() || overlays > ends.overlays()) {
      return Optional.empty();
    }
    Blake3 hash = new Blake3();
    if (turns > 0) {
      files.turns.addTo(hash, turns - 1);
    }
    files.overlays.addTo(hash, overlays);
    return Optional.of(hash.digest());
  }

  int formatVersion() {
    return files.root().version();
  }

  CheckReport check(ReadProgress progress) {
    return StoreCheck.of(files, committer.position(), findings, progress);
  }

  Payload backupPoint() {
    return committer.atForcedPosition(
        position -> {
          StoreRoot root = files.root();
          Checkpoint point =
              new Checkpoint(
                  1, Checkpoint.State.CLOSED, position, files.tails(position), root.erasures());
          return Payload.wrap(point.bytes(root.shortId()));
        });
  }

  /// The turn with the greatest number.
  CheckReport.@Nullable NewestTurn newestTurn() {
    return StoreCheck.newestTurn(files, committer.position().ends());
  }
}
