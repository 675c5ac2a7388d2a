// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The bundles that were published, kept in the store itself: each is a turn of one context, in the
/// order they came (docs/type-registry.md tells how).
///
/// Safe for any number of threads; readers look at a [Catalogue] that never changes and wait for
/// nobody.
public final class TypeRegistry {

  /// The payload of the root turn; the context is found again by it.
  private static final Payload KEY = Payload.utf8("varve.registry");

  private static final BlobHash KEY_HASH = Blake3.hash(KEY.bytes());
  private static final DeclaredType KEY_TYPE = new DeclaredType("varve.registry", 1);
  private static final DeclaredType BUNDLE_TYPE = new DeclaredType("varve.registry.bundle", 1);
  private static final Payload ABOUT =
      Payload.utf8("{\"kind\":\"varve.registry.manifest\",\"title\":\"Type registry\"}");

  private static final System.Logger LOG = System.getLogger("dev.varve.server.types");

  private final Store store;
  private final RegistryLimits limits;
  private volatile Catalogue catalogue;
  private final List<String> problems;

  // ---- guarded by this
  private @Nullable ContextId context;
  private int puts;

  /// What became of a bundle.
  public enum Outcome {
    /// Stored; it may have replaced an earlier one under the same id.
    STORED,
    /// The very same bytes were stored under this id already.
    UNCHANGED
  }

  /// @param hash of the bytes, which is also their name in the store
  public record Put(String bundleId, BlobHash hash, Outcome outcome) {}

  private TypeRegistry(Store store, RegistryLimits limits) {
    this.store = store;
    this.limits = limits;
    this.catalogue = Catalogue.empty(limits);
    this.problems = new ArrayList<>();
  }

  /// Reads what a store has; makes nothing. Takes time by the number of bundles ever stored.
  public static TypeRegistry open(Store store) {
    return open(store, RegistryLimits.DEFAULTS);
  }

  public static TypeRegistry open(Store store, RegistryLimits limits) {
    TypeRegistry registry = new TypeRegistry(store, limits);
    registry.load();
    return registry;
  }

  private synchronized void load() {
    TurnId root = store.findChild(TurnId.NONE, KEY_HASH).orElse(TurnId.NONE);
    if (root.isNone()) {
      return;
    }
    ContextId found = store.turn(root, View.HEADERS).context();
    try {
      ContextHead head = store.head(found);
      context = found;
      store.replay(
          head.head(),
          View.AS_WRITTEN.withoutPayloads(),
          turn -> {
            if (turn.type().equals(BUNDLE_TYPE)) {
              puts++;
              take(turn);
            }
          });
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      problem("bundles from here on left out: " + e.getMessage());
    }
  }

  /// A bundle that does not fit (another program appended it, or its blob is damaged) is left out
  /// and told of: the others count.
  private void take(Turn turn) {
    try {
      catalogue = catalogue.with(bundle(turn.payloadHash()), turn.payloadHash());
    } catch (StoreException.Invalid
        | StoreException.Conflict
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.NotFound e) {
      problem("bundle of turn " + turn.id() + " left out: " + e.getMessage());
    }
  }

  private void problem(String what) {
    problems.add(what);
    LOG.log(System.Logger.Level.WARNING, what);
  }

  private Bundle bundle(BlobHash hash) {
    return Bundle.read(store.get(hash), limits);
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
  public Optional<Payload> bytes(String bundleId) {
    return catalogue.bundle(bundleId).map(store::get);
  }

  /// Where bundles are kept; empty until the first one is stored.
  public synchronized Optional<ContextId> context() {
    return Optional.ofNullable(context);
  }

  /// Takes a bundle; when it returns the bundle is as durable as any turn, and after a crash there
  /// or not.
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
    store.append(home(), NewTurn.of(bytes, BUNDLE_TYPE, Encoding.JSON));
    puts++;
    catalogue = after;
    return new Put(bundle.id(), hash, Outcome.STORED);
  }

  /// The context of bundles, made when the first one is stored. If a crash comes between, an empty
  /// context is left behind.
  private ContextId home() {
    ContextId home = context;
    if (home == null) {
      ContextHead head = store.createContext(TurnId.NONE, store.put(ABOUT));
      store.append(head.id(), NewTurn.of(KEY, KEY_TYPE, Encoding.RAW));
      home = head.id();
      context = home;
    }
    return home;
  }
}
