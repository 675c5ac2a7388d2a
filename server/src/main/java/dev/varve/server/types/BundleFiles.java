// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LocalDisk;
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

/// The bundles that were published, each a file whose name tells its place in their order and the
/// hash of its bytes.
///
/// Page: `docs/format/registry.md`. One writer at a time; who reads only disturbs nobody.
public final class BundleFiles {

  /// Where they lie in a store's folder.
  private static final String FOLDER = "registry";

  /// What is being written; a leftover after a crash, and then replaced by the next.
  private static final String UNFINISHED = "unfinished";

  private static final Pattern NAME = Pattern.compile("([0-9]{6,10})-([0-9a-f]{64})\\.json");

  private final Disk disk;

  /// @param number its place: those that came later have greater ones
  record BundleFile(String name, long number, BlobHash hash) {}

  private BundleFiles(Disk disk) {
    this.disk = disk;
  }

  /// Those in a store's folder, for who has the store open.
  public static BundleFiles of(Path store) {
    return on(LocalDisk.open(store.resolve(FOLDER)));
  }

  static BundleFiles on(Disk disk) {
    return new BundleFiles(disk);
  }

  /// In the order in which they came.
  List<BundleFile> all() {
    List<BundleFile> files = new ArrayList<>();
    for (String name : disk.names()) {
      Matcher parts = NAME.matcher(name);
      if (parts.matches()) {
        files.add(
            new BundleFile(name, Long.parseLong(parts.group(1)), BlobHash.parse(parts.group(2))));
      }
    }
    files.sort(Comparator.comparingLong(BundleFile::number).thenComparing(BundleFile::name));
    return files;
  }

  /// @param most larger files are refused unread
  /// @throws StoreException.Corrupt if the bytes are not those that were published
  Payload read(BundleFile bundle, int most) {
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

  /// Adds a bundle behind all others. When it returns the file survives a power cut; if it throws,
  /// the file may be there or not, and is whole if it is.
  ///
  /// @param number greater than all before
  BundleFile add(long number, Payload bytes) {
    BlobHash hash = Blake3.hash(bytes.bytes());
    String name = "%06d-%s.json".formatted(number, hash);
    disk.delete(UNFINISHED);
    try (DiskFile file = disk.open(UNFINISHED)) {
      file.write(0, ByteBuffer.wrap(bytes.bytes()));
      file.force();
    }
    disk.replace(UNFINISHED, name);
    disk.forceNames();
    return new BundleFile(name, number, hash);
  }

  // ---- check

  /// What reading all bundles of a store found.
  ///
  /// @param problems by the file's name within the store's folder
  public record Checked(int bundles, Map<String, String> problems) {
    public Checked {
      problems = Map.copyOf(problems);
    }
  }

  /// Reads all bundles of a store, which nobody has open, and changes nothing.
  public static Checked check(Path store) {
    Path folder = store.resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return new Checked(0, Map.of());
    }
    BundleFiles files = on(LocalDisk.openReadOnly(folder));
    List<BundleFile> all = files.all();
    Map<String, String> problems = new TreeMap<>();
    for (BundleFile file : all) {
      try {
        files.read(file, RegistryLimits.DEFAULTS.bundleBytes());
      } catch (StoreException.Corrupt | StoreException.TooLarge | StoreException.Io e) {
        problems.put(FOLDER + "/" + file.name(), String.valueOf(e.getMessage()));
      }
    }
    return new Checked(all.size(), problems);
  }
}
