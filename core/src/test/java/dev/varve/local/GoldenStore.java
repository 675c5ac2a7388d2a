// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.disk.Disk;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Journal;
import dev.varve.sim.SimulatedTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Wrote `fixtures/stores/v1` (a store that was closed) and `fixtures/stores/v1-killed` (the same,
/// whose process was killed some appends later). They are written once for each version of the
/// format and never again: what is in them must open for ever. Run it with a folder as argument to
/// see what this version would write.
final class GoldenStore {

  static final StoreGeometry GEOMETRY =
      new StoreGeometry(
          new FileGrowth(1 << 14, 1 << 8, 1 << 10), new Journal.Sizes(1 << 14, 1 << 14), 2000);

  private GoldenStore() {}

  public static void main(String[] args) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(0, 1 << 17);
    SimulatedTime time = SimulatedTime.ticking();
    LocalStore store = open(disk, time);
    write(store);
    store.close();
    save(DiskImage.of(disk), Path.of(args[0], "v1"));
    store = open(disk, time);
    append(store, new ContextId(1), "after the checkpoint");
    store.tombstone(new TurnId(2));
    append(store, store.fork(new TurnId(3)).id(), "a late branch");
    save(DiskImage.of(disk.kill()), Path.of(args[0], "v1-killed"));
    History.abandon(store);
  }

  static LocalStore open(Disk disk, SimulatedTime time) {
    StoreOptions options = StoreOptions.DEFAULTS.withDurability(Durability.FORCE_EACH);
    return LocalStore.open(disk, options, time, GEOMETRY);
  }

  private static void write(LocalStore store) {
    BlobHash about = store.put(Payload.utf8("a title"));
    ContextId first = store.createContext(TurnId.NONE, about).id();
    append(store, first, "hello");
    append(store, first, "how are you? ".repeat(100));
    BlobHash tree = store.put(Payload.utf8("a file tree"));
    store.append(
        first,
        NewTurn.of(Payload.utf8("keyed"), new DeclaredType("golden.Key", 2), Encoding.MSGPACK)
            .withKey(IdempotencyKey.of("the key"))
            .withFsRoot(tree)
            .withDeclaredCompression(1));
    append(store, store.fork(new TurnId(2)).id(), "a branch");
    store.patch(new TurnId(1), Payload.utf8("hello, patched"));
    store.tombstone(new TurnId(4));
    store.attachFsRoot(new TurnId(2), tree);
    store.append(first, NewTurn.of(Payload.EMPTY, DeclaredType.UNDECLARED, Encoding.JSON));
    store.createContext();
  }

  private static void append(LocalStore store, ContextId context, String text) {
    store.append(
        context, NewTurn.of(Payload.utf8(text), new DeclaredType("golden.Text", 1), Encoding.JSON));
  }

  private static void save(DiskImage image, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : image.files().entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }

  /// The files of one of the fixtures.
  static DiskImage load(String name) throws IOException {
    Path folder =
        Path.of(
            Objects.requireNonNull(System.getProperty("root.dir"), "root.dir"),
            "core/src/test/fixtures",
            name);
    Map<String, byte[]> files = new TreeMap<>();
    try (var paths = Files.list(folder)) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return new DiskImage(files);
  }
}
