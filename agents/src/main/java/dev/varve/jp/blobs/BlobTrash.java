// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.jp.files.RealFiles;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// `blobs/.trash/<date>/<2>/<2>/…`: what was taken out of the store, under the day (UTC) on which
/// it was.
///
/// Taking out is one rename, so it may stop after any of them. What lies here can be put back the
/// same way.
public final class BlobTrash {

  private final Path blobs;
  private final InstantSource clock;

  public BlobTrash(Path blobs, InstantSource clock) {
    this.blobs = blobs;
    this.clock = clock;
  }

  /// Moves a blob's file here.
  ///
  /// @return where it lies now
  public Path move(StoredBlob stored) {
    Path trash = blobs.resolve(HousekeepingNames.TRASH);
    Path day = trash.resolve(today().toString());
    Path first = BlobName.first(day, stored.hash());
    Path leaf = BlobName.leaf(day, stored.hash());
    List.of(trash, day, first, leaf).forEach(RealFiles::makeFolder);
    Path name = stored.file().getFileName();
    Path target = leaf.resolve(String.valueOf(name));
    for (int i = 1; RealFiles.look(target).isPresent(); i++) {
      target = leaf.resolve(name + "." + i); // one of the same name was thrown away today
    }
    RealFiles.replace(stored.file(), target);
    return target;
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  /// The days on which something was thrown away, the oldest first.
  public List<LocalDate> days() {
    List<LocalDate> days = new ArrayList<>();
    for (Path folder : RealFiles.list(blobs.resolve(HousekeepingNames.TRASH))) {
      try {
        days.add(LocalDate.parse(String.valueOf(folder.getFileName())));
      } catch (DateTimeParseException e) {
        // Not made here, so not ours to delete.
      }
    }
    days.sort(null);
    return days;
  }

  /// The blobs thrown away on `day`.
  public List<StoredBlob> blobs(LocalDate day) {
    List<StoredBlob> found = new ArrayList<>();
    listing(day).each(() -> false, found::add, _ -> {});
    return found;
  }

  private BlobListing listing(LocalDate day) {
    return new BlobListing(blobs.resolve(HousekeepingNames.TRASH).resolve(day.toString()));
  }

  /// A blob that was thrown away and is still there; the newest.
  public Optional<StoredBlob> find(Sha256 hash) {
    for (LocalDate day : days().reversed()) {
      Optional<StoredBlob> found = listing(day).find(hash);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /// Moves a blob back to where it was.
  public void restore(StoredBlob thrown) {
    Sha256 hash = thrown.hash();
    List.of(BlobName.first(blobs, hash), BlobName.leaf(blobs, hash)).forEach(RealFiles::makeFolder);
    RealFiles.replace(thrown.file(), BlobName.file(blobs, hash));
    RealFiles.forceFolder(BlobName.leaf(blobs, hash));
  }

  /// Deletes what was thrown away on `day`, one file after the other, then the folders.
  ///
  /// @param stop once it says yes, the rest stays for another time
  /// @return how many bytes that gave back
  public long empty(LocalDate day, BooleanSupplier stop) {
    Path folder = blobs.resolve(HousekeepingNames.TRASH).resolve(day.toString());
    long freed = 0;
    for (Path first : RealFiles.list(folder)) {
      for (Path second : RealFiles.list(first)) {
        if (stop.getAsBoolean()) {
          return freed;
        }
        for (Path file : RealFiles.list(second)) {
          long size = RealFiles.look(file).map(found -> found.size()).orElse(0L);
          freed += RealFiles.delete(file) ? size : 0;
        }
        RealFiles.delete(second);
      }
      RealFiles.delete(first);
    }
    RealFiles.delete(folder);
    return freed;
  }
}
