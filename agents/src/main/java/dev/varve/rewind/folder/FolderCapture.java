// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.access.StoreAccess;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.FileAccess;
import dev.varve.files.WholeFile;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.rewind.CapturePurpose;
import dev.varve.rewind.DiskClock;
import dev.varve.rewind.SmallFile;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import dev.varve.rewind.folder.TreeBuilder.Content;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Takes a snapshot of a folder. Called under its lock.
///
/// The cost is a look at the sizes and times of all files, and the reading of the changed files. If
/// nothing changed, the store is not even opened.
final class FolderCapture {

  private static final String LAST = "last";

  private final Path root;
  private final Path folder;
  private final Path store;
  private final StoreAccess access;
  private final SnapshotContext context;
  private final ContentReader.Opener opener;
  private final InstantSource clock;
  private final long fileBytesMax;

  FolderCapture(
      CapturedFolder place,
      StoreAccess access,
      ContentReader.Opener opener,
      InstantSource clock,
      long fileBytesMax) {
    this.root = place.root();
    this.folder = place.notes();
    this.store = place.store();
    this.access = access;
    this.context = new SnapshotContext(root, folder);
    this.opener = opener;
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  Snapshot take(CapturePurpose purpose) {
    String mark = SmallFile.signature(access.root());
    CaptureNotes notes = CaptureNotes.read(folder, mark);
    Instant at = clock.instant();
    long startedNanos = now();
    IgnoreFileRules rules = IgnoreFileRules.of(root);
    FolderWalk walk = new FolderWalk(root, store, rules, fileBytesMax);
    WalkedPath.Folder top = walk.run();
    Map<RepoPath, Content> contents = new HashMap<>();
    List<WalkedPath.Leaf> toRead = new ArrayList<>();
    sort(top, notes, contents, toRead);
    TreeBuilder builder = new TreeBuilder(contents, notes);
    Snapshot taken;
    try (ContentReader reading = new ContentReader(access, opener, walk.leftOut())) {
      contents.putAll(reading.all(toRead));
      BlobHash tree = builder.of(top);
      SnapshotMetadata metadata = metadata(builder.entries(), walk, rules);
      taken = settle(purpose, tree, metadata, at, builder.fresh(), reading);
    }
    if (!toRead.isEmpty() || !builder.entries().equals(notes.entries())) {
      // The store may have been made just now.
      new CaptureNotes(SmallFile.signature(access.root()), startedNanos, builder.entries())
          .write(folder);
    }
    return taken;
  }

  private static void sort(
      WalkedPath.Folder folder,
      CaptureNotes notes,
      Map<RepoPath, Content> contents,
      List<WalkedPath.Leaf> toRead) {
    for (WalkedPath seen : folder.inside()) {
      switch (seen) {
        case WalkedPath.Folder inner -> sort(inner, notes, contents, toRead);
        case WalkedPath.Leaf leaf -> {
          BlobHash hash = notes.vouched(leaf);
          if (hash == null) {
            toRead.add(leaf);
          } else {
            contents.put(leaf.path(), new Content(hash, leaf.stat().sizeBytes()));
          }
        }
      }
    }
  }

  private Snapshot settle(
      CapturePurpose purpose,
      BlobHash tree,
      SnapshotMetadata metadata,
      Instant at,
      List<Payload> trees,
      ContentReader reading) {
    Optional<Snapshot> last = last();
    if (!purpose.always() && last.isPresent() && isSame(last.get(), tree, metadata)) {
      return last.get();
    }
    Snapshot same = purpose.same();
    Payload text = SnapshotPayload.write(tree, at, metadata, purpose.note());
    boolean again = same != null && isSame(same, tree, metadata);
    Store store = reading.store();
    if (again && same != null) {
      text = store.get(BlobHash.parse(same.commit()));
    } else {
      List<Payload> blobs = new ArrayList<>(trees);
      blobs.add(text);
      store.putAll(blobs);
    }
    if (purpose.keep() && !(again && isKept(store, text))) {
      context.add(store, text, tree);
    }
    Snapshot taken =
        SnapshotPayload.read(text).orElseThrow(() -> new AssertionError("no snapshot was written"));
    if (purpose.keep()) {
      WholeFile.at(folder.resolve(LAST))
          .asItsFolder()
          .replace(SmallFile.signature(access.root()) + "\n" + text.text());
    }
    return taken;
  }

  private boolean isKept(Store store, Payload text) {
    return context.kept(store).containsKey(Blake3.hash(text));
  }

  private static boolean isSame(Snapshot snapshot, BlobHash tree, SnapshotMetadata metadata) {
    return snapshot.tree().equals(tree.toString())
        && snapshot.metadata().equals(Optional.of(metadata));
  }

  /// The last snapshot that was kept; empty if the store is another one now.
  Optional<Snapshot> last() {
    Optional<String> text = SmallFile.read(folder.resolve(LAST));
    int line = text.map(t -> t.indexOf('\n')).orElse(-1);
    return line < 0 || !text.get().substring(0, line).equals(SmallFile.signature(access.root()))
        ? Optional.empty()
        : SnapshotPayload.read(Payload.utf8(text.get().substring(line + 1)));
  }

  private SnapshotMetadata metadata(
      Map<RepoPath, CaptureNotes.Entry> entries, FolderWalk walk, IgnoreFileRules rules) {
    Map<String, Integer> files = new TreeMap<>();
    Map<String, Integer> programs = new TreeMap<>();
    entries.values().stream()
        .map(CaptureNotes.Entry::stat)
        .filter(FileStat::isFile)
        .forEach(stat -> (stat.isProgram() ? programs : files).merge(octal(stat), 1, Integer::sum));
    SnapshotMetadata.Plain plain =
        new SnapshotMetadata.Plain(mostOf(files, "644"), mostOf(programs, "755"));
    SortedMap<RepoPath, String> others = new TreeMap<>();
    entries.forEach(
        (path, entry) -> {
          FileStat stat = entry.stat();
          String usual = stat.isProgram() ? plain.program() : plain.file();
          if (stat.isFile() && !octal(stat).equals(usual)) {
            others.put(path, octal(stat));
          }
        });
    Path name = root.getFileName();
    return new SnapshotMetadata(
        name == null ? "/" : name.toString(), plain, others, walk.leftOut(), false, rules.text());
  }

  private static String octal(FileStat stat) {
    return String.format("%03o", stat.permissions());
  }

  private static String mostOf(Map<String, Integer> counts, String otherwise) {
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }

  /// The time now by the clock that stamps files.
  private long now() {
    try {
      FileAccess.OWNER_ONLY.makeFolders(folder);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "create", 0, e);
    }
    return FileStat.nanos(DiskClock.now(folder));
  }
}
