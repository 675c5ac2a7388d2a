// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.pi.NewFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Blobs as files of a folder, `v1/blobs/<hash>`: on a memory stick, a network drive, or behind any
/// web server, for these are the paths that [HttpBlobs] asks for. An unpacked [Bundle] is one too.
public final class FolderBlobs implements BlobSource, BlobTarget {

  /// Where a blob is below the folder.
  static final String PATH = "v1/blobs/";

  private final Path folder;

  /// @param folder need not exist to be sent to
  public FolderBlobs(Path folder) {
    this.folder = folder;
  }

  private Path file(BlobHash hash) {
    return folder.resolve(PATH + hash);
  }

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) throws IOException {
    try {
      InputStream in = Files.newInputStream(file(hash));
      in.skipNBytes(Math.min(offset, Files.size(file(hash))));
      return Optional.of(new Rest(in, Math.min(offset, Files.size(file(hash)))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Set<BlobHash> missing(List<BlobHash> hashes) {
    return hashes.stream().filter(h -> !Files.exists(file(h))).collect(Collectors.toSet());
  }

  @Override
  public void put(Parcel parcel) throws IOException {
    Path target = file(parcel.hash());
    Files.createDirectories(folder.resolve(PATH));
    try (NewFile file = NewFile.at(target);
        InputStream in = parcel.contents().open()) {
      file.fill(in, parcel.hash());
      file.appear();
    } catch (StoreException.Conflict e) {
      // somebody else brought the same bytes
    }
  }

  @Override
  public String describe() {
    return folder.toString();
  }

  @Override
  public void close() {}
}
