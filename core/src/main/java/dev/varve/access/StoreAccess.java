// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.BulkStore;
import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.disk.DiskLock;
import dev.varve.disk.LocalDisk;
import dev.varve.local.LocalStore;
import dev.varve.socket.SocketFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The way to the store in a folder.
///
/// One process has a store open at a time. If the process is a service, the store is used through
/// the service, over the socket in the folder; the file system decides which users may do this. If
/// it is any other program, a later program waits for its turn as long as [WaitingRules] allow, and
/// is then refused with [StoreException.Busy]. Requests and answers are the same in all cases.
///
/// The caller that opened a store closes it. Safe for use by any number of threads.
public class StoreAccess {

  private static final System.Logger LOG = System.getLogger(StoreAccess.class.getPackageName());

  /// The beginning of a holder's name in [StoreException.Busy] if the holder is a service.
  public static final String SERVICE_HOLDER = "a service, ";

  private static final String SOCKET = "service.sock";
  private static final String ROOT = "varve.store";

  /// The file that is locked during an import into a store that others have open too.
  private static final String IMPORT_LOCK = "import.lock";

  /// A service on this machine is there or not; a request may take as long as the work does.
  private static final RemoteOptions SERVICE =
      RemoteOptions.DEFAULTS
          .withClientTag("varve command")
          .withRequestTimeout(Duration.ofMinutes(30));

  private static final StoreOptions UNFORCED =
      StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM);

  private final Path folder;
  private final SocketFile socket;
  private final WaitingRules rules;

  /// See [#of].
  protected StoreAccess(Path folder, WaitingRules rules) {
    this.folder = folder.toAbsolutePath();
    this.socket = socket(folder);
    this.rules = rules;
  }

  /// The way to the store in `folder`, which need not exist. Looks at nothing.
  public static StoreAccess of(Path folder, WaitingRules rules) {
    return new StoreAccess(folder, rules);
  }

  /// Where a service of the store in `folder` listens for programs of the store's user.
  public static SocketFile socket(Path folder) {
    return new SocketFile(folder.resolve(SOCKET));
  }

  /// The store's folder.
  public Path folder() {
    return folder;
  }

  /// The file that a store has from its beginning to its end: if it is another one, it is another
  /// store.
  public Path root() {
    return folder.resolve(ROOT);
  }

  // ---- to use a store

  /// Opens the store; makes one if the folder is absent or empty.
  ///
  /// @throws StoreException.NoStore if the folder has other things in it
  /// @throws StoreException.Busy if another program does not let go of the store
  public BulkStore open() {
    return use(() -> LocalStore.open(folder, StoreOptions.DEFAULTS));
  }

  /// Opens the store, which exists. Where nothing can be written, the store can still be read.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if another program does not let go of the store
  public BulkStore openExisting() {
    return use(
        isReadOnly()
            ? () -> LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)
            : () -> LocalStore.openExisting(folder, StoreOptions.DEFAULTS));
  }

  /// Opens the store if there is one.
  ///
  /// @throws StoreException.Busy if another program does not let go of the store
  public Optional<BulkStore> openIfThere() {
    return Files.exists(root()) ? Optional.of(openExisting()) : Optional.empty();
  }

  /// Opens the store for an import; makes one if there is none. What is written is durable when the
  /// store is closed, or at once if a service has the store: an import that breaks off is completed
  /// by importing again.
  ///
  /// One import goes on at a time, through a service too: two imports of one source would each look
  /// for contexts of the source, find none and make them.
  ///
  /// @throws StoreException.Busy if another program does not let go of the store, or another import
  ///   does not end
  public BulkStore openForImport() {
    BulkStore store = openBesideImports();
    return store instanceof RemoteStore service ? onlyImport(service) : store;
  }

  /// Opens the store as [#openForImport] does, but beside other imports that go through a service:
  /// for a source that may take as long as its writer likes.
  ///
  /// @throws StoreException.Busy if another program does not let go of the store
  public BulkStore openBesideImports() {
    return use(() -> LocalStore.open(folder, UNFORCED));
  }

  /// Opens the store for a service; makes one if there is none. A store in a folder is held by the
  /// service alone ([#hold]); a store in a database may have several services.
  ///
  /// @throws StoreException.Busy if another program has the store alone and does not let go of it
  public BulkStore openToServe(StoreOptions options) {
    return hold(options);
  }

  // ---- to have a store alone

  /// Opens the store for this process alone; makes one if there is none. For what only the holder
  /// of a store can do.
  ///
  /// @throws StoreException.Busy if a service has the store, or another program does not let go of
  ///   it
  public final LocalStore hold() {
    return hold(StoreOptions.DEFAULTS);
  }

  /// [#hold()] with options of the caller's.
  public LocalStore hold(StoreOptions options) {
    return alone(() -> LocalStore.open(folder, options));
  }

  /// [#hold] for an import: what is written is durable when the store is closed.
  ///
  /// @throws StoreException.Busy if a service has the store, or another program does not let go of
  ///   it
  public LocalStore holdForImport() {
    return alone(() -> LocalStore.open(folder, UNFORCED));
  }

  /// Makes again, from the primary files, all that is derived. Everything is where it was when this
  /// returns.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if a service has the store, or another program does not let go of
  ///   it
  public void rebuild() {
    alone(() -> LocalStore.openExisting(folder, StoreOptions.DEFAULTS)).close();
    alone(() -> LocalStore.openUnderived(folder, StoreOptions.DEFAULTS)).close();
  }

  // ---- how

  private BulkStore use(Supplier<? extends BulkStore> opening) {
    OpeningTurn turn = new OpeningTurn(rules);
    while (true) {
      try {
        return opened(opening.get());
      } catch (StoreException.Busy busy) {
        RemoteStore service = service();
        if (service != null) {
          return service;
        }
        turn.await(busy);
      }
    }
  }

  private <T> T alone(Supplier<T> opening) {
    OpeningTurn turn = new OpeningTurn(rules);
    while (true) {
      try {
        return opened(opening.get());
      } catch (StoreException.Busy busy) {
        RemoteStore service = service();
        if (service != null) {
          service.close();
          throw new StoreException.Busy(busy.path(), SERVICE_HOLDER + busy.holder());
        }
        turn.await(busy);
      }
    }
  }

  private RemoteStore onlyImport(RemoteStore service) {
    try {
      return service.afterClose(lockImports()::close);
    } catch (StoreException e) {
      service.close();
      throw e;
    }
  }

  /// Waits for other imports of this machine, and lets no other begin until the lock is closed.
  ///
  /// @throws StoreException.Busy if another import does not end
  final DiskLock lockImports() {
    String holder =
        "an import, process " + ProcessHandle.current().pid() + " since " + Instant.now();
    OpeningTurn turn = new OpeningTurn(rules);
    while (true) {
      try {
        return LocalDisk.open(folder).lock(IMPORT_LOCK, holder);
      } catch (StoreException.Busy busy) {
        turn.await(busy);
      }
    }
  }

  /// The service that has the store open; null if none answers.
  private @Nullable RemoteStore service() {
    if (!socket.exists()) {
      return null;
    }
    try {
      return RemoteStore.connect(socket, SERVICE);
    } catch (StoreException.Io e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "no service: " + e.getMessage());
      return null; // a service that was killed, or that is just beginning or ending
    }
  }

  /// Removes the sockets of services that were killed: a program that has opened the store finds no
  /// others.
  private <T> T opened(T store) {
    try {
      if (!isReadOnly()) {
        socket.delete();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "a socket stays that nobody listens to: " + e);
    }
    return store;
  }

  private boolean isReadOnly() {
    return Files.isDirectory(folder) && !Files.isWritable(folder);
  }
}
