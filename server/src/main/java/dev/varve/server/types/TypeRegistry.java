// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.server.types.TypeBundleFiles.StoredBundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The published bundles, stored in files beside the store's own, in the order of their publication
/// (docs/type-registry.md).
///
/// Safe for any number of threads; readers use an immutable [TypeCatalogue] and never wait.
public final class TypeRegistry {

  private static final System.Logger LOG = System.getLogger("dev.varve.server.types");

  private final TypeBundleFiles files;
  private final RegistryLimits limits;
  private volatile TypeCatalogue catalogue;

  /// The file of each accepted bundle.
  private final Map<BlobHash, StoredBundle> places = new ConcurrentHashMap<>();

  private final List<String> problems = new ArrayList<>();

  // ---- guarded by this
  private int puts;
  private long lastNumber;

  /// The result of storing a bundle.
  public enum PutChange {
    /// Stored; an earlier bundle under the same id was replaced.
    STORED,
    /// The same bytes were stored under this id already.
    UNCHANGED
  }

  /// A stored bundle.
  ///
  /// @param hash of the bytes
  public record PutResult(String bundleId, BlobHash hash, PutChange outcome) {}

  private TypeRegistry(TypeBundleFiles files, RegistryLimits limits) {
    this.files = files;
    this.limits = limits;
    this.catalogue = TypeCatalogue.empty(limits);
  }

  /// Reads the existing files and creates none. The time depends on the number of bundles ever
  /// stored.
  public static TypeRegistry open(TypeBundleFiles files) {
    return open(files, RegistryLimits.DEFAULTS);
  }

  static TypeRegistry open(TypeBundleFiles files, RegistryLimits limits) {
    TypeRegistry registry = new TypeRegistry(files, limits);
    registry.load();
    return registry;
  }

  private synchronized void load() {
    for (StoredBundle file : files.all()) {
      puts++;
      lastNumber = file.number();
      take(file);
    }
  }

  /// Adds a bundle at opening. A bundle that does not fit (a foreign or a damaged file) is left out
  /// and reported; the others count.
  private void take(StoredBundle file) {
    try {
      TypeBundle bundle = TypeBundle.read(files.read(file, limits.bundleBytes()), limits);
      catalogue = catalogue.with(bundle, file.hash());
      places.put(file.hash(), file);
    } catch (StoreException.Invalid
        | StoreException.Conflict
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.Io e) {
      problem("bundle " + file.name() + " left out: " + e.getMessage());
    }
  }

  private void problem(String what) {
    problems.add(what);
    LOG.log(System.Logger.Level.WARNING, what);
  }

  /// The union of all bundles.
  public TypeCatalogue catalogue() {
    return catalogue;
  }

  /// The bundles that were left out at opening.
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /// The bytes that were last stored under a bundle's id. Their hash is the `ETag`.
  ///
  /// @throws StoreException.Corrupt if the file has been damaged since
  public Optional<Payload> bytes(String bundleId) {
    return catalogue
        .bundle(bundleId)
        .map(hash -> files.read(Objects.requireNonNull(places.get(hash)), limits.bundleBytes()));
  }

  /// Stores a bundle; on return the bundle survives a power cut.
  ///
  /// @param bytes stored unchanged. The id in the bytes counts, whatever the request's path says
  /// @throws StoreException.Invalid if the bytes are not a bundle
  /// @throws StoreException.Conflict if the bundle contradicts the catalogue; nothing is stored
  /// @throws StoreException.TooLarge if the bundle is over a limit
  public synchronized PutResult put(Payload bytes) {
    TypeBundle bundle = TypeBundle.read(bytes, limits);
    BlobHash hash = Blake3.hash(bytes.bytes());
    TypeCatalogue before = catalogue;
    if (before.bundle(bundle.id()).filter(hash::equals).isPresent()) {
      return new PutResult(bundle.id(), hash, PutChange.UNCHANGED);
    }
    if (puts >= limits.puts()) {
      throw new StoreException.TooLarge("bundles ever stored", puts + 1L, limits.puts());
    }
    TypeCatalogue after = before.with(bundle, hash);
    puts++;
    lastNumber++; // also if writing fails: the file may exist all the same
    places.put(hash, files.add(lastNumber, bytes));
    catalogue = after;
    return new PutResult(bundle.id(), hash, PutChange.STORED);
  }
}
