// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.store.ContextDescription;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.Sidecar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The sessions of Pi that were published and were imported too. What was published is a blob that
/// no turn has, so an erasure of contexts leaves the blob.
final class PublishedSessions {

  /// The index of published sessions, within the store's folder.
  static final Path INDEX = Path.of("pi", "manifest.json");

  private final Store store;
  private final BranchIndex index;

  PublishedSessions(Path storeFolder, Store store) {
    this.store = store;
    this.index = new BranchIndex(storeFolder.resolve(INDEX));
  }

  /// A published session.
  ///
  /// @param hash the blob with the whole session
  /// @param file the name of the session's file
  record Copy(BlobHash hash, String file) {}

  /// The published copies of the sessions of contexts, each state of a session that grew.
  ///
  /// @param except blobs that go
  /// @throws StoreException if the index of published sessions cannot be read
  List<Copy> of(Set<ContextId> contexts, Set<BlobHash> except) {
    Set<String> files = new HashSet<>();
    for (ContextId context : contexts) {
      ContextDescription description = ContextDescription.of(store.head(context), store);
      if (description.kind().startsWith("pi.")) {
        files.add(description.file());
      }
    }
    if (files.isEmpty()) {
      return List.of();
    }
    Set<Copy> copies = new LinkedHashSet<>();
    index
        .read()
        .forEach(
            (branch, path) -> {
              String file = String.valueOf(Path.of(path).getFileName());
              if (files.contains(file)) {
                session(branch)
                    .filter(hash -> !except.contains(hash) && store.has(hash))
                    .ifPresent(hash -> copies.add(new Copy(hash, file)));
              }
            });
    return new ArrayList<>(copies);
  }

  /// The blob of a session; empty if the sidecar cannot be read.
  private Optional<BlobHash> session(BlobHash branch) {
    try {
      return Optional.of(Sidecar.read(store.get(branch), branch.toString()).src());
    } catch (StoreException.NotFound
        | StoreException.Corrupt
        | StoreException.FormatTooNew
        | StoreException.TooLarge e) {
      return Optional.empty();
    }
  }
}
