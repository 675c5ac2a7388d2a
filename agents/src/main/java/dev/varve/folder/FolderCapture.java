// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.Purpose;
import dev.varve.checkpoint.SmallFile;
import dev.varve.checkpoint.Snapshot;
import dev.varve.folder.Growth.Content;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
/// The cost is a look at the sizes and times of all files, and the reading of those that changed.
/// If nothing did, the store is not even opened.
final class FolderCapture {

  private static final String LAST = "last";

  private final Path root;
  private final Path folder;
  private final Path store;
  private final StoreDoor door;
  private final Chain chain;
  private final Reading.Opener opener;
  private final InstantSource clock;
  private final long fileBytesMax;

  FolderCapture(
      Place place, StoreDoor door, Reading.Opener opener, InstantSource clock, long fileBytesMax) {
    this.root = place.root();
    this.folder = place.notes();
    this.store = place.store();
    this.door = door;
    this.chain = new Chain(root, folder);
    this.opener = opener;
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  Snapshot take(Purpose purpose) {
    String mark = SmallFile.signature(door.mark());
    Notes notes = Notes.read(folder, mark);
    Instant at = clock.instant();
    long startedNanos = now();
    IgnoreRules rules = IgnoreRules.of(root);
    Walk walk = new Walk(root, store, rules, fileBytesMax);
    Seen.Folder top = walk.run();
    Map<RepoPath, Content> contents = new HashMap<>();
    List<Seen.Leaf> toRead = new ArrayList<>();
    sort(top, notes, contents, toRead);
    Growth growth = new Growth(contents, notes);
    Snapshot taken;
    try (Reading reading = new Reading(door, opener, walk.leftOut())) {
      contents.putAll(reading.all(toRead));
      BlobHash tree = growth.of(top);
      Facts facts = facts(growth.entries(), walk, rules);
      taken = settle(purpose, tree, facts, at, growth.fresh(), reading);
    }
    if (!toRead.isEmpty() || !growth.entries().equals(notes.entries())) {
      // The store may have been made just now.
      new Notes(SmallFile.signature(door.mark()), startedNanos, growth.entries()).write(folder);
    }
    return taken;
  }

  private static void sort(
      Seen.Folder folder, Notes notes, Map<RepoPath, Content> contents, List<Seen.Leaf> toRead) {
    for (Seen seen : folder.inside()) {
      switch (seen) {
        case Seen.Folder inner -> sort(inner, notes, contents, toRead);
        case Seen.Leaf leaf -> {
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
      Purpose purpose,
      BlobHash tree,
      Facts facts,
      Instant at,
      List<Payload> trees,
      Reading reading) {
    Optional<Snapshot> last = last();
    if (!purpose.always() && last.isPresent() && isSame(last.get(), tree, facts)) {
      return last.get();
    }
    Snapshot same = purpose.same();
    Payload text = CheckpointText.write(tree, at, facts, purpose.note());
    boolean again = same != null && isSame(same, tree, facts);
    Store store = reading.store();
    if (again && same != null) {
      text = store.get(BlobHash.parse(same.commit()));
    } else {
      List<Payload> blobs = new ArrayList<>(trees);
      blobs.add(text);
      store.putAll(blobs);
    }
    if (purpose.keep() && !(again && isKept(store, text))) {
      chain.add(store, text, tree);
    }
    Snapshot taken =
        CheckpointText.read(text).orElseThrow(() -> new AssertionError("no snapshot was written"));
    if (purpose.keep()) {
      SmallFile.replace(
          folder.resolve(LAST), SmallFile.signature(door.mark()) + "\n" + text.text());
    }
    return taken;
  }

  private boolean isKept(Store store, Payload text) {
    return chain.kept(store).containsKey(Blake3.hash(text));
  }

  private static boolean isSame(Snapshot snapshot, BlobHash tree, Facts facts) {
    return snapshot.tree().equals(tree.toString()) && snapshot.facts().equals(Optional.of(facts));
  }

  /// The last snapshot that was kept; empty if the store is another one by now.
  Optional<Snapshot> last() {
    Optional<String> text = SmallFile.read(folder.resolve(LAST));
    int line = text.map(t -> t.indexOf('\n')).orElse(-1);
    return line < 0 || !text.get().substring(0, line).equals(SmallFile.signature(door.mark()))
        ? Optional.empty()
        : CheckpointText.read(Payload.utf8(text.get().substring(line + 1)));
  }

  private Facts facts(Map<RepoPath, Notes.Entry> entries, Walk walk, IgnoreRules rules) {
    Map<String, Integer> files = new TreeMap<>();
    Map<String, Integer> programs = new TreeMap<>();
    entries.values().stream()
        .map(Notes.Entry::stat)
        .filter(Stat::isFile)
        .forEach(stat -> (stat.isProgram() ? programs : files).merge(octal(stat), 1, Integer::sum));
    Facts.Plain plain = new Facts.Plain(mostOf(files, "644"), mostOf(programs, "755"));
    SortedMap<RepoPath, String> others = new TreeMap<>();
    entries.forEach(
        (path, entry) -> {
          Stat stat = entry.stat();
          String usual = stat.isProgram() ? plain.program() : plain.file();
          if (stat.isFile() && !octal(stat).equals(usual)) {
            others.put(path, octal(stat));
          }
        });
    Path name = root.getFileName();
    return new Facts(
        name == null ? "/" : name.toString(), plain, others, walk.leftOut(), false, rules.text());
  }

  private static String octal(Stat stat) {
    return String.format("%03o", stat.permissions());
  }

  private static String mostOf(Map<String, Integer> counts, String otherwise) {
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }

  /// By the clock that stamps files.
  private long now() {
    Path probe = folder.resolve("probe");
    try {
      Files.createDirectories(folder);
      Files.writeString(probe, "");
      return probe.getFileSystem().supportedFileAttributeViews().contains("unix")
          ? Stat.nanos(
              (FileTime) Files.getAttribute(probe, "unix:ctime", LinkOption.NOFOLLOW_LINKS))
          : Stat.nanos(Files.getLastModifiedTime(probe));
    } catch (IOException e) {
      throw SmallFile.refusal(probe, "write", e);
    }
  }
}
