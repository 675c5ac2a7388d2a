// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Blobs as files of a folder, `v1/blobs/<hash>`: on a memory stick, a network drive, or behind any
/// web server, for these are the paths that [HttpBlobs] asks for. An unpacked [BranchBundle] is one
/// too.
public final class FolderBlobs implements BlobTarget {

  /// The place of blobs below the folder.
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
      InputStream in = RegularFile.read(file(hash));
      in.skipNBytes(Math.min(offset, Files.size(file(hash))));
      return Optional.of(new Rest(in, Math.min(offset, Files.size(file(hash)))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /// A file counts only if its bytes have the hash: each file is read, so that a copy that was cut
  /// or damaged is sent again.
  @Override
  public Set<BlobHash> missing(List<BlobHash> hashes) throws IOException {
    Set<BlobHash> missing = new HashSet<>();
    for (BlobHash hash : hashes) {
      if (!isWhole(hash)) {
        missing.add(hash);
      }
    }
    return missing;
  }

  private boolean isWhole(BlobHash hash) throws IOException {
    if (!Files.isRegularFile(file(hash))) {
      return false;
    }
    try (InputStream in = RegularFile.read(file(hash))) {
      return VerifiedCopy.hash(in).equals(hash);
    }
  }

  /// The names of all files of the folder that blobs have, sorted.
  ///
  /// @throws StoreException.NotFound if it is no folder of blobs
  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(PATH))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw new StoreException.NotFound("folder of blobs", folder.toString());
    }
  }

  @Override
  public void put(OutgoingBlob parcel) throws IOException {
    Path target = file(parcel.hash());
    Files.createDirectories(folder.resolve(PATH));
    try (FileDraft file = WholeFile.at(target).draft();
        InputStream in = parcel.contents().open()) {
      VerifiedCopy.fill(file, in, parcel.hash(), target);
      file.replace(); // what was there is damaged, or has the same bytes
    }
  }

  @Override
  public String describe() {
    return folder.toString();
  }

  @Override
  public void close() {}
}
