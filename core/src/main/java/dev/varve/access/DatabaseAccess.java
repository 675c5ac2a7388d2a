// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.BulkStore;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.disk.DiskLock;
import dev.varve.disk.FileAccess;
import dev.varve.files.WholeFile;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/// The way to a store in a database.
///
/// Nobody has the store alone, so that only imports wait for a turn. The folder is this machine's:
/// the search index and whatever else can be made again, never a turn or a blob. The root of the
/// folder names the store and its last erasure, so that what belongs to one store is not used for
/// another, and what was made before an erasure is not used afterwards.
public final class DatabaseAccess extends StoreAccess {

  private final StoreDriver driver;
  private final String address;

  DatabaseAccess(StoreDriver driver, String address, Path folder, WaitingRules rules) {
    super(folder, rules);
    this.driver = driver;
    this.address = address;
  }

  /// The way to the store at the address of a database. Looks at nothing.
  ///
  /// @param folder what this machine keeps of the store lies there: nothing that cannot be made
  ///   again
  /// @throws java.util.NoSuchElementException if no driver opens the address ([#driver])
  public static StoreAccess of(String address, Path folder, WaitingRules rules) {
    return new DatabaseAccess(driver(address).orElseThrow(), address, folder, rules);
  }

  /// The driver for the address of a database; empty if no module of this program has one.
  public static Optional<StoreDriver> driver(String address) {
    return ServiceLoader.load(StoreDriver.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(driver -> driver.opens(address))
        .findFirst();
  }

  @Override
  public BulkStore open() {
    return openToServe(StoreOptions.DEFAULTS);
  }

  @Override
  public BulkStore openExisting() {
    return named(driver.openExisting(address, StoreOptions.DEFAULTS));
  }

  @Override
  public Optional<BulkStore> openIfThere() {
    try {
      return Optional.of(openExisting());
    } catch (StoreException.NoStore e) {
      return Optional.empty();
    }
  }

  /// The database decides when an import is durable, as with every write. Of the imports of this
  /// machine, one goes on at a time; the sessions of two machines are different ones.
  @Override
  public BulkStore openForImport() {
    makeFolder(folder());
    DiskLock lock = lockImports();
    try {
      DatabaseStore store = named(driver.open(address, StoreOptions.DEFAULTS));
      store.afterClose(lock::close);
      return store;
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  @Override
  public BulkStore openBesideImports() {
    return open();
  }

  @Override
  public BulkStore openToServe(StoreOptions options) {
    return named(driver.open(address, options));
  }

  @Override
  public LocalStore hold(StoreOptions options) {
    throw refusal();
  }

  @Override
  public LocalStore holdForImport() {
    throw refusal();
  }

  @Override
  public void rebuild() {
    throw refusal();
  }

  private StoreException refusal() {
    return new StoreException.Invalid(
        "store", "this needs a store in a folder, found " + driver.shown(address));
  }

  private DatabaseStore named(DatabaseStore store) {
    try {
      name(folder(), store);
      return store;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private static void makeFolder(Path folder) {
    try {
      FileAccess.OWNER_ONLY.makeFolders(folder);
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be made", e);
    }
  }

  /// Writes the identity of a store, as the store is now, into the folder that this machine has of
  /// it, unless the folder has the identity.
  ///
  /// @throws StoreException.Io if the folder cannot be written
  public static void name(Path folder, DatabaseStore store) {
    Path root = StoreAccess.of(folder, WaitingRules.NONE).root();
    int erasures = store.lastErasure();
    String name =
        "a store in a database\n"
            + store.storeId()
            + "\n"
            + (erasures == 0 ? "" : "erasures " + erasures + "\n");
    try {
      if (!Files.exists(root) || !Files.readString(root, StandardCharsets.UTF_8).equals(name)) {
        makeFolder(folder);
        WholeFile.at(root).with(FileAccess.OWNER_ONLY).replaceSoon(name);
      }
    } catch (IOException e) {
      throw new StoreException.Io(root.toString(), "cannot be written", e);
    }
  }
}
