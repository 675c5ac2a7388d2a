// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The restores of a worktree, so that they can be undone and done again, any number of them.
///
/// The history is a short file with one line for each restore, and is replaced as a whole; the
/// oldest lines go.
final class RestoreHistory {

  /// One restore. Its name is `restore`, `undo` or `redo`.
  ///
  /// @param from the snapshot of the files before the restore
  /// @param to the snapshot of the files after the restore
  record Operation(Instant at, String kind, String from, String to) {

    private String line() {
      return at.toEpochMilli() + " " + kind + " " + from + " " + to;
    }

    private static Optional<Operation> parse(String line) {
      String[] words = line.split(" ", -1);
      if (words.length != 4
          || !words[0].matches("[0-9]{1,15}")
          || !words[1].matches("restore|undo|redo")
          || !(words[2] + words[3]).matches("[0-9a-f]{80}|[0-9a-f]{128}")) {
        return Optional.empty();
      }
      Instant at = Instant.ofEpochMilli(Long.parseLong(words[0]));
      return Optional.of(new Operation(at, words[1], words[2], words[3]));
    }
  }

  static final String FILE = "operations";
  private static final int KEPT = 1_000;

  private final Path file;

  RestoreHistory(Path folder) {
    this.file = folder.resolve(FILE);
  }

  /// The restores, the oldest first. Damaged lines are passed over.
  List<Operation> all() {
    return SmallFile.read(file)
        .orElse("")
        .lines()
        .flatMap(l -> Operation.parse(l).stream())
        .toList();
  }

  void add(Operation operation) {
    List<Operation> all = new ArrayList<>(all());
    all.add(operation);
    write(all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  private void write(List<Operation> operations) {
    StringBuilder text = new StringBuilder();
    operations.forEach(each -> text.append(each.line()).append('\n'));
    WholeFile.at(file).asItsFolder().replace(text.toString());
  }

  /// Forgets the restores up to the last one that begins or ends at one of these snapshots: nothing
  /// leads back over a snapshot that is gone.
  void forgetUpTo(Set<String> snapshots) {
    List<Operation> all = all();
    int kept = all.size();
    while (kept > 0
        && !snapshots.contains(all.get(kept - 1).from())
        && !snapshots.contains(all.get(kept - 1).to())) {
      kept--;
    }
    if (kept > 0) {
      write(all.subList(kept, all.size()));
    }
  }

  /// The restore that an undo takes back.
  ///
  /// @throws StoreException.NotFound if every restore is taken back, or there was none
  Operation toUndo() {
    return stacks(true).orElseThrow(() -> nothing("restore", "to undo"));
  }

  /// The restore that was undone and that a redo does again.
  ///
  /// @throws StoreException.NotFound if nothing was undone, or another restore came after the undo
  Operation toRedo() {
    return stacks(false).orElseThrow(() -> nothing("undo", "to redo"));
  }

  /// Refuses a file of which nothing can be read. A history that was lost is not an empty one.
  ///
  /// @throws StoreException.Corrupt if the file is not empty and no line of it is whole
  void demandLegible() {
    String text = SmallFile.read(file).orElse("");
    if (!text.isEmpty() && all().isEmpty()) {
      throw new StoreException.Corrupt(
          file.toString(), 0, "lines of restores", text.length() + " other characters");
    }
  }

  private StoreException nothing(String what, String purpose) {
    demandLegible();
    return new StoreException.NotFound(what, purpose);
  }

  private Optional<Operation> stacks(boolean undo) {
    Deque<Operation> done = new ArrayDeque<>();
    Deque<Operation> undone = new ArrayDeque<>();
    for (Operation operation : all()) {
      switch (operation.kind()) {
        case "undo" -> Optional.ofNullable(done.poll()).ifPresent(undone::push);
        case "redo" -> Optional.ofNullable(undone.poll()).ifPresent(done::push);
        default -> {
          done.push(operation);
          undone.clear();
        }
      }
    }
    return Optional.ofNullable(undo ? done.peek() : undone.peek());
  }
}
