// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The names below a folder with blobs: `<2>/<2>/<60>.gz`, as [BlobName] makes them.
///
/// @param blobs the folder itself; need not exist
record BlobListing(Path blobs) {

  /// The file of a blob, if it is there. Looks at names only.
  ///
  /// @throws StoreException.Corrupt if a link or something other than a file or folder is on the
  ///   way
  Optional<StoredBlob> find(Sha256 hash) {
    if (!RealFiles.isFolder(blobs)
        || !RealFiles.isFolder(BlobName.first(blobs, hash))
        || !RealFiles.isFolder(BlobName.leaf(blobs, hash))) {
      return Optional.empty();
    }
    for (Path file : List.of(BlobName.file(blobs, hash), BlobName.longFile(blobs, hash))) {
      if (RealFiles.isFile(file)) {
        return FileState.of(file).map(state -> new StoredBlob(hash, file, state));
      }
    }
    return Optional.empty();
  }

  /// Hands out everything below the folder, in the order of names, until `stop` says yes: blobs to
  /// `each`, all other files to `odd`.
  void each(
      BooleanSupplier stop, Consumer<? super StoredBlob> each, Consumer<? super StrayFile> odd) {
    for (Path first : RealFiles.list(blobs)) {
      if (isPrefix(first, odd)) {
        for (Path second : RealFiles.listReal(first)) {
          if (stop.getAsBoolean()) {
            return;
          }
          if (isPrefix(second, odd)) {
            RealFiles.listReal(second).forEach(file -> report(first, second, file, each, odd));
          }
        }
      }
    }
  }

  private boolean isPrefix(Path folder, Consumer<? super StrayFile> odd) {
    String name = String.valueOf(folder.getFileName());
    if (HousekeepingNames.has(name)
        && folder.getParent() != null
        && folder.getParent().equals(blobs)) {
      return false;
    }
    BasicFileAttributes found = RealFiles.look(folder).orElse(null);
    if (found == null) {
      return false;
    }
    if (found.isDirectory() && BlobName.isPrefix(name)) {
      return true;
    }
    odd.accept(
        new StrayFile(folder, RealFiles.words(found) + " where two hexadecimal digits belong"));
    return false;
  }

  private static void report(
      Path first,
      Path second,
      Path file,
      Consumer<? super StoredBlob> each,
      Consumer<? super StrayFile> odd) {
    BasicFileAttributes found = RealFiles.look(file).orElse(null);
    if (found == null) {
      return;
    }
    String name = String.valueOf(file.getFileName());
    Optional<Sha256> hash =
        BlobName.hash(
            String.valueOf(first.getFileName()), String.valueOf(second.getFileName()), name);
    if (hash.isEmpty()) {
      odd.accept(
          new StrayFile(
              file,
              DraftNames.isDraft(name)
                  ? "a draft that was left behind"
                  : RealFiles.words(found) + " whose name is no blob's"));
    } else if (!found.isRegularFile()) {
      odd.accept(new StrayFile(file, RealFiles.words(found) + " in the place of a blob"));
    } else {
      each.accept(new StoredBlob(hash.get(), file, FileState.of(found)));
    }
  }
}
