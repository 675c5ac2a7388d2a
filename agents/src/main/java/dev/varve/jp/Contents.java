// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.blobs.Trash;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The contents of a workspace: a root's own blobs, then the other root's, then what lies in their
/// trash. A blob that one root lacks is not lost while another has it.
public final class Contents implements Content.Source {

  private final List<BlobFolder> folders = new ArrayList<>();
  private final InstantSource clock;

  /// @param first the root to look into first
  /// @param sizeBytesMax the largest content to take into memory
  public Contents(Workspace workspace, Root first, InstantSource clock, int sizeBytesMax) {
    this.clock = clock;
    folders.add(new BlobFolder(first.blobs(), clock, sizeBytesMax));
    for (Root root : workspace.roots()) {
      if (!root.equals(first)) {
        folders.add(new BlobFolder(root.blobs(), clock, sizeBytesMax));
      }
    }
  }

  /// How many blobs were opened.
  public long opens() {
    return folders.stream().mapToLong(BlobFolder::opens).sum();
  }

  @Override
  public byte[] get(Sha256 hash, long sizeBytes) {
    StoreException wrong = null;
    for (BlobFolder folder : folders) {
      try {
        if (folder.find(hash).isPresent()) {
          return folder.get(hash, sizeBytes);
        }
      } catch (StoreException.Corrupt | StoreException.Io e) {
        wrong = wrong == null ? e : wrong;
      }
    }
    for (BlobFolder folder : folders) {
      Optional<StoredBlob> thrown = new Trash(folder.folder(), clock).find(hash);
      if (thrown.isPresent()) {
        try {
          return folder.get(thrown.get(), sizeBytes);
        } catch (StoreException.Corrupt | StoreException.Io e) {
          wrong = wrong == null ? e : wrong;
        }
      }
    }
    if (wrong != null) {
      throw wrong;
    }
    throw new StoreException.NotFound("blob", hash.hex());
  }
}
