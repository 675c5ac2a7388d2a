// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.server.types.BundleFiles.BundleFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The bundles that were published, kept in files beside the store's own, in the order they came
/// (docs/type-registry.md tells how).
///
/// Safe for any number of threads; readers look at a [Catalogue] that never changes and wait for
/// nobody.
public final class TypeRegistry {

  private static final System.Logger LOG = System.getLogger("dev.varve.server.types");

  private final BundleFiles files;
  private final RegistryLimits limits;
  private volatile Catalogue catalogue;

  /// Where the bytes are of each bundle that counted when it came.
  private final Map<BlobHash, BundleFile> places = new ConcurrentHashMap<>();

  private final List<String> problems = new ArrayList<>();

  // ---- guarded by this
  private int puts;
  private long lastNumber;

  /// What became of a bundle.
  public enum Outcome {
    /// Stored; it may have replaced an earlier one under the same id.
    STORED,
    /// The very same bytes were stored under this id already.
    UNCHANGED
  }

  /// @param hash of the bytes
  public record Put(String bundleId, BlobHash hash, Outcome outcome) {}

  private TypeRegistry(BundleFiles files, RegistryLimits limits) {
    this.files = files;
    this.limits = limits;
    this.catalogue = Catalogue.empty(limits);
  }

  /// Reads what there is; makes nothing. Takes time by the number of bundles ever stored.
  public static TypeRegistry open(BundleFiles files) {
    return open(files, RegistryLimits.DEFAULTS);
  }

  static TypeRegistry open(BundleFiles files, RegistryLimits limits) {
    TypeRegistry registry = new TypeRegistry(files, limits);
    registry.load();
    return registry;
  }

  private synchronized void load() {
    for (BundleFile file : files.all()) {
      puts++;
      lastNumber = file.number();
      take(file);
    }
  }

  /// A bundle that does not fit (somebody else put the file there, or it is damaged) is left out
  /// and told of: the others count.
  private void take(BundleFile file) {
    try {
      Bundle bundle = Bundle.read(files.read(file, limits.bundleBytes()), limits);
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

  /// What all bundles say now.
  public Catalogue catalogue() {
    return catalogue;
  }

  /// Bundles that opening had to leave out.
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /// The bytes last stored under a bundle's id. Their hash is what an `ETag` is made of.
  ///
  /// @throws StoreException.Corrupt if the file was damaged since
  public Optional<Payload> bytes(String bundleId) {
    return catalogue
        .bundle(bundleId)
        .map(hash -> files.read(Objects.requireNonNull(places.get(hash)), limits.bundleBytes()));
  }

  /// Takes a bundle; when it returns the bundle survives a power cut.
  ///
  /// @param bytes kept as they are. The id in them counts, whatever the request called it
  /// @throws StoreException.Invalid if it is no bundle
  /// @throws StoreException.Conflict if it contradicts what is known. Nothing of it is kept
  /// @throws StoreException.TooLarge if it is over a limit
  public synchronized Put put(Payload bytes) {
    Bundle bundle = Bundle.read(bytes, limits);
    BlobHash hash = Blake3.hash(bytes.bytes());
    Catalogue before = catalogue;
    if (before.bundle(bundle.id()).filter(hash::equals).isPresent()) {
      return new Put(bundle.id(), hash, Outcome.UNCHANGED);
    }
    if (puts >= limits.puts()) {
      throw new StoreException.TooLarge("bundles ever stored", puts + 1L, limits.puts());
    }
    Catalogue after = before.with(bundle, hash);
    puts++;
    lastNumber++; // also if writing fails: the file may be there all the same
    places.put(hash, files.add(lastNumber, bytes));
    catalogue = after;
    return new Put(bundle.id(), hash, Outcome.STORED);
  }
}
