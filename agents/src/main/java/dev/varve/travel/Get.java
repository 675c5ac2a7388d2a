// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.Sidecar;
import dev.varve.hash.Blake3;
import dev.varve.travel.Got.End;
import dev.varve.travel.Got.Link;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Fetches a branch, its session, and its parents into a store. Only what the store does not have
/// is asked for; every blob is verified before it is kept, and a sidecar is kept only once its
/// session is, so that what is in the store is always whole.
///
/// If a parent cannot be had, what is here already stays and is told: a branch is of use without
/// its parents.
public final class Get {

  private final BlobSource source;
  private final Store store;
  private final Budget budget;
  private final Incoming incoming;
  private int blobsNew;

  /// @param incoming a folder for what is being received
  /// @param progress is told how many bytes of a blob are here
  public Get(BlobSource source, Store store, Path incoming, Budget budget, LongConsumer progress) {
    this.source = source;
    this.store = store;
    this.budget = budget;
    this.incoming = new Incoming(incoming, budget, progress);
  }

  /// Fetches the branch `hash`.
  ///
  /// @throws StoreException.NotFound if neither source nor store has it, or its session
  /// @throws StoreException.Corrupt if the source gives other bytes
  /// @throws StoreException.TooLarge if the budget is spent before its session is here
  /// @throws StoreException.Io if the source cannot be asked
  public Got branch(BlobHash hash) {
    List<Link> links = new ArrayList<>();
    Set<BlobHash> seen = new HashSet<>();
    End end = new End.Root();
    @Nullable BlobHash next = hash;
    while (next != null && end instanceof End.Root) {
      if (!seen.add(next)) {
        throw new AssertionError("hashes in a circle: " + next);
      }
      try {
        budget.branch();
        Result result = link(next);
        links.addAll(result.link);
        end = result.end;
        next = result.link.isEmpty() ? null : result.link.getFirst().sidecar().parent();
      } catch (StoreException.Corrupt
          | StoreException.FormatTooNew
          | StoreException.TooLarge
          | StoreException.Busy e) {
        if (links.isEmpty()) {
          throw e;
        }
        end = new End.Failed(next, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        if (links.isEmpty()) {
          throw new StoreException.Io(source.describe(), String.valueOf(e.getMessage()), e);
        }
        end = new End.Failed(next, source.describe() + ": " + e.getMessage());
      }
      if (links.isEmpty() && end instanceof End.Missing(BlobHash blob, BlobHash _)) {
        throw new StoreException.NotFound("blob", blob + " in " + source.describe());
      }
    }
    return new Got(links, end, blobsNew, budget.bytes());
  }

  private record Result(List<Link> link, End end) {}

  private Result link(BlobHash hash) throws IOException {
    Optional<Payload> bytes = sidecar(hash);
    if (bytes.isEmpty()) {
      return new Result(List.of(), new End.Missing(hash, hash));
    }
    Sidecar sidecar = Sidecar.read(bytes.get(), "branch " + hash);
    if (!store.has(sidecar.src()) && !fetchSession(sidecar.src())) {
      return new Result(List.of(), new End.Missing(sidecar.src(), hash));
    }
    if (!store.has(hash)) {
      store.put(bytes.get());
      blobsNew++;
    }
    return new Result(List.of(new Link(hash, sidecar, bytes.get())), new End.Root());
  }

  /// A sidecar is small: it never becomes a file.
  private Optional<Payload> sidecar(BlobHash hash) throws IOException {
    if (store.has(hash)) {
      if (store.sizeBytes(hash) > Sidecar.SIZE_BYTES_MAX) {
        throw new StoreException.Corrupt("branch " + hash, 0, "a branch sidecar", "a large blob");
      }
      return Optional.of(store.get(hash));
    }
    Optional<BlobSource.Rest> found = source.open(hash, 0);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (BlobSource.Rest rest = found.get()) {
      byte[] bytes = rest.bytes().readNBytes(Sidecar.SIZE_BYTES_MAX + 1);
      budget.spend(bytes.length, bytes.length);
      BlobHash actual = Blake3.hash(bytes);
      if (bytes.length > Sidecar.SIZE_BYTES_MAX || !actual.equals(hash)) {
        throw new StoreException.Corrupt(
            source.describe(),
            0,
            "branch " + hash,
            bytes.length > Sidecar.SIZE_BYTES_MAX
                ? "more bytes than a sidecar has"
                : "bytes with the hash " + actual);
      }
      return Optional.of(Payload.wrap(bytes));
    }
  }

  private boolean fetchSession(BlobHash src) throws IOException {
    boolean found = incoming.fetch(source, src, file -> keep(file, src));
    blobsNew += found ? 1 : 0;
    return found;
  }

  private void keep(Path file, BlobHash src) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      store.put(in, src);
    }
  }
}
