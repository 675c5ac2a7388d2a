// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LocalDisk;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The published bundles, each in a file whose name holds its place in their order and the hash of
/// its bytes.
///
/// Page: `docs/format/registry.md`. One writer at a time; a reader disturbs nobody.
public final class TypeBundleFiles {

  /// The folder within a store's folder.
  private static final String FOLDER = "registry";

  private static final Pattern NAME = Pattern.compile("([0-9]{6,10})-([0-9a-f]{64})\\.json");

  private final Disk disk;

  /// A file with its place.
  ///
  /// @param number its place: later bundles have greater numbers
  record StoredBundle(String name, long number, BlobHash hash) {}

  private TypeBundleFiles(Disk disk) {
    this.disk = disk;
  }

  /// The files in a store's folder, for a process that has the store open.
  public static TypeBundleFiles of(Path store) {
    return on(LocalDisk.open(store.resolve(FOLDER)));
  }

  static TypeBundleFiles on(Disk disk) {
    return new TypeBundleFiles(disk);
  }

  /// All files, in the order in which they were published.
  List<StoredBundle> all() {
    List<StoredBundle> files = new ArrayList<>();
    for (String name : disk.names()) {
      Matcher parts = NAME.matcher(name);
      if (parts.matches()) {
        files.add(
            new StoredBundle(name, Long.parseLong(parts.group(1)), BlobHash.parse(parts.group(2))));
      }
    }
    files.sort(Comparator.comparingLong(StoredBundle::number).thenComparing(StoredBundle::name));
    return files;
  }

  /// Reads a file.
  ///
  /// @param most larger files are refused unread
  /// @throws StoreException.Corrupt if the bytes are not those that were published
  Payload read(StoredBundle bundle, int most) {
    try (DiskFile file = disk.open(bundle.name())) {
      long size = file.sizeBytes();
      if (size > most) {
        throw new StoreException.TooLarge("bundle " + bundle.name(), size, most);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      file.read(0, bytes);
      BlobHash found = Blake3.hash(bytes.array());
      if (!found.equals(bundle.hash())) {
        throw new StoreException.Corrupt(
            FOLDER + "/" + bundle.name(), 0, "hash " + bundle.hash(), "hash " + found);
      }
      return Payload.wrap(bytes.array());
    }
  }

  /// Adds a bundle after all others. On return the file survives a power cut; after an exception
  /// the file may exist or not, and is complete if it exists.
  ///
  /// @param number greater than all before
  StoredBundle add(long number, Payload bytes) {
    BlobHash hash = Blake3.hash(bytes.bytes());
    String name = "%06d-%s.json".formatted(number, hash);
    WholeFile.in(disk, name).replace(bytes.bytes());
    return new StoredBundle(name, number, hash);
  }

  // ---- check

  /// The result of reading all bundles of a store.
  ///
  /// @param problems by the file's name within the store's folder
  public record CheckResult(int bundles, Map<String, String> problems) {
    public CheckResult {
      problems = Map.copyOf(problems);
    }
  }

  /// Gives a backup of a store the bundles that it lacks. May run while they are published.
  ///
  /// @param verify whether to read also those that the backup has, and replace damaged ones
  /// @return what is damaged in the store, and was not copied
  public static CheckResult copy(Path store, Path backup, boolean verify) {
    Path folder = store.resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return new CheckResult(0, Map.of());
    }
    TypeBundleFiles from = on(LocalDisk.openReadOnly(folder));
    TypeBundleFiles to = of(backup);
    List<StoredBundle> all = from.all();
    Map<String, String> problems = new TreeMap<>();
    for (StoredBundle file : all) {
      try {
        if (!to.disk.exists(file.name()) || verify && !to.isWhole(file)) {
          Payload bytes = from.read(file, RegistryLimits.DEFAULTS.bundleBytes());
          WholeFile.in(to.disk, file.name()).replace(bytes.bytes());
        }
      } catch (StoreException.Corrupt | StoreException.TooLarge e) {
        problems.put(FOLDER + "/" + file.name(), String.valueOf(e.getMessage()));
      }
    }
    return new CheckResult(all.size(), problems);
  }

  private boolean isWhole(StoredBundle file) {
    try {
      Payload _ = read(file, RegistryLimits.DEFAULTS.bundleBytes());
      return true;
    } catch (StoreException.Corrupt | StoreException.TooLarge e) {
      return false;
    }
  }

  /// Reads all bundles of a store that no process has open, and changes nothing.
  public static CheckResult check(Path store) {
    Path folder = store.resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return new CheckResult(0, Map.of());
    }
    TypeBundleFiles files = on(LocalDisk.openReadOnly(folder));
    List<StoredBundle> all = files.all();
    Map<String, String> problems = new TreeMap<>();
    for (StoredBundle file : all) {
      try {
        files.read(file, RegistryLimits.DEFAULTS.bundleBytes());
      } catch (StoreException.Corrupt | StoreException.TooLarge | StoreException.Io e) {
        problems.put(FOLDER + "/" + file.name(), String.valueOf(e.getMessage()));
      }
    }
    return new CheckResult(all.size(), problems);
  }
}
