// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobTrash;
import dev.varve.jp.blobs.ContentSink;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.files.FileState;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/// The contents of a workspace: a root's own blobs, then the other root's, then what lies in their
/// trash. A blob that one root lacks is not lost while another has it.
public final class WorkspaceContents implements BlobContent.Source {

  private final List<BlobFolder> folders = new ArrayList<>();
  private final InstantSource clock;

  /// Files that were read to their end and are what their names say.
  private final Map<Sha256, Sound> sound = new HashMap<>();

  private record Sound(BlobFolder folder, StoredBlob stored, long sizeBytes) {}

  /// @param first the root to look into first
  /// @param sizeBytesMax the largest content to take into memory
  public WorkspaceContents(
      Workspace workspace, WorkspaceRoot first, InstantSource clock, int sizeBytesMax) {
    this.clock = clock;
    folders.add(new BlobFolder(first.blobs(), clock, sizeBytesMax));
    for (WorkspaceRoot root : workspace.roots()) {
      if (!root.equals(first)) {
        folders.add(new BlobFolder(root.blobs(), clock, sizeBytesMax));
      }
    }
  }

  /// The number of blobs opened so far.
  public long opens() {
    return folders.stream().mapToLong(BlobFolder::opens).sum();
  }

  @Override
  public byte[] get(Sha256 hash, long sizeBytes) {
    return first(hash, (folder, stored) -> folder.get(stored, sizeBytes));
  }

  @Override
  public void stream(Sha256 hash, long sizeBytes, ContentSink sink) {
    Sound known = sound.get(hash);
    if (known == null
        || known.sizeBytes != sizeBytes
        || !FileState.of(known.stored.file()).filter(known.stored.state()::equals).isPresent()) {
      known =
          first(
              hash,
              (folder, stored) -> {
                folder.verify(stored, sizeBytes);
                return new Sound(folder, stored, sizeBytes);
              });
      sound.put(hash, known);
    }
    known.folder.stream(known.stored, sink);
  }

  /// The result of `action` for the first file with which it succeeds.
  private <T> T first(Sha256 hash, BiFunction<BlobFolder, StoredBlob, T> action) {
    StoreException wrong = null;
    for (BlobFolder folder : folders) {
      try {
        Optional<StoredBlob> stored = folder.find(hash);
        if (stored.isPresent()) {
          return action.apply(folder, stored.get());
        }
      } catch (StoreException.Corrupt | StoreException.Io e) {
        wrong = wrong == null ? e : wrong;
      }
    }
    for (BlobFolder folder : folders) {
      Optional<StoredBlob> thrown = new BlobTrash(folder.folder(), clock).find(hash);
      if (thrown.isPresent()) {
        try {
          return action.apply(folder, thrown.get());
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
