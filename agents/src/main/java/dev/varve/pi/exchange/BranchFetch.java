// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.hash.Blake3;
import dev.varve.pi.branch.Sidecar;
import dev.varve.pi.exchange.FetchResult.End;
import dev.varve.pi.exchange.FetchResult.Link;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Fetches a branch, its session, and its parents into a store. Only what the store does not have
/// is asked for; every blob is verified before it is kept, and a sidecar is kept only once its
/// session is, so that what is in the store is always whole. The store is not held while the source
/// is waited for.
///
/// If a parent cannot be fetched, the part that has arrived stays and is reported: a branch is of
/// use without its parents. A `BranchFetch` serves one branch.
public final class BranchFetch {

  private final BlobSource source;
  private final StoreVisits store;
  private final TransferBudget budget;
  private final IncomingBlobs incoming;
  private final List<Link> links = new ArrayList<>();
  private int blobsNew;

  /// The branch that is looked for; null behind the root.
  private @Nullable BlobHash next;

  /// @param incoming a folder for what is being received
  /// @param progress receives the number of bytes of a blob that have arrived
  public BranchFetch(
      BlobSource source,
      StoreVisits store,
      Path incoming,
      TransferBudget budget,
      LongConsumer progress) {
    this.source = source;
    this.store = store;
    this.budget = budget;
    this.incoming = new IncomingBlobs(incoming, budget, progress);
  }

  /// Fetches the branch `hash`.
  ///
  /// @throws StoreException.NotFound if neither source nor store has it, or its session
  /// @throws StoreException.Corrupt if the source gives other bytes
  /// @throws StoreException.TooLarge if the budget is spent before its session is here
  /// @throws StoreException.Io if the source cannot be asked
  public FetchResult branch(BlobHash hash) {
    next = hash;
    End end = new End.Root();
    try {
      Optional<Gap> gap = store.ask(this::walk);
      while (gap.isPresent()) {
        Optional<BlobHash> missing = fetch(gap.get());
        if (missing.isPresent()) {
          end = new End.Missing(missing.get(), gap.get().branch());
          break;
        }
        gap = next == null ? Optional.empty() : store.ask(this::walk);
      }
    } catch (StoreException.Corrupt
        | StoreException.FormatTooNew
        | StoreException.TooLarge
        | StoreException.Busy e) {
      if (links.isEmpty() || next == null) {
        throw e;
      }
      end = new End.Failed(next, String.valueOf(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      if (links.isEmpty() || next == null) {
        throw new StoreException.Io(source.describe(), String.valueOf(e.getMessage()), e);
      }
      end = new End.Failed(next, source.describe() + ": " + e.getMessage());
    }
    if (links.isEmpty() && end instanceof End.Missing(BlobHash blob, BlobHash _)) {
      throw new StoreException.NotFound("blob", blob + " in " + source.describe());
    }
    return new FetchResult(links, end, blobsNew, budget.bytes());
  }

  /// A branch that the store does not have whole.
  ///
  /// @param sidecar its bytes, if the store has them
  private record Gap(BlobHash branch, Optional<Payload> sidecar) {}

  /// Takes what the store has, up to the first gap; empty if it has all.
  private Optional<Gap> walk(Store of) {
    while (next != null) {
      BlobHash at = next;
      if (!of.has(at)) {
        return Optional.of(new Gap(at, Optional.empty()));
      }
      if (of.sizeBytes(at) > Sidecar.SIZE_BYTES_MAX) {
        throw new StoreException.Corrupt("branch " + at, 0, "a branch sidecar", "a large blob");
      }
      Payload bytes = of.get(at);
      Sidecar sidecar = Sidecar.read(bytes, "branch " + at);
      if (!of.has(sidecar.src())) {
        return Optional.of(new Gap(at, Optional.of(bytes)));
      }
      budget.branch();
      take(new Link(at, sidecar, bytes));
    }
    return Optional.empty();
  }

  private void take(Link link) {
    links.add(link);
    next = link.sidecar().parent();
  }

  /// Fills a gap.
  ///
  /// @return a blob that the source does not have either
  private Optional<BlobHash> fetch(Gap gap) throws IOException {
    budget.branch();
    Optional<Payload> bytes = gap.sidecar().isPresent() ? gap.sidecar() : sidecar(gap.branch());
    if (bytes.isEmpty()) {
      return Optional.of(gap.branch());
    }
    Link link =
        new Link(gap.branch(), Sidecar.read(bytes.get(), "branch " + gap.branch()), bytes.get());
    BlobHash src = link.sidecar().src();
    if (store.ask(of -> of.has(src))) {
      store.with(of -> keep(link, of));
    } else if (!incoming.fetch(source, src, file -> store.with(of -> keep(file, link, of)))) {
      return Optional.of(src);
    }
    take(link);
    return Optional.empty();
  }

  /// A sidecar is small: it never becomes a file.
  private Optional<Payload> sidecar(BlobHash hash) throws IOException {
    Optional<BlobSource.Rest> found = source.open(hash, 0);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (BlobSource.Rest rest = found.get()) {
      byte[] bytes = first(rest.bytes());
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

  /// As many bytes as a sidecar may have, and one more; however slowly they come, within the
  /// budget.
  private byte[] first(InputStream in) throws IOException {
    byte[] bytes = new byte[Sidecar.SIZE_BYTES_MAX + 1];
    int size = 0;
    int read = 0;
    while (read >= 0 && size < bytes.length) {
      size += read;
      budget.spend(read, size);
      read = size < bytes.length ? in.read(bytes, size, bytes.length - size) : -1;
    }
    return Arrays.copyOf(bytes, size);
  }

  private void keep(Path session, Link link, Store in) {
    try (InputStream bytes = Files.newInputStream(session)) {
      in.put(bytes, link.sidecar().src());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    blobsNew++;
    keep(link, in);
  }

  private void keep(Link link, Store in) {
    if (!in.has(link.hash())) {
      in.put(link.bytes());
      blobsNew++;
    }
  }
}
