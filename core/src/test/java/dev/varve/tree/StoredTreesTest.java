// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoredTreesTest {

  private final Map<BlobHash, Payload> blobs = new HashMap<>();
  private int read;

  private Payload get(BlobHash hash) {
    read++;
    Payload blob = blobs.get(hash);
    if (blob == null) {
      throw new StoreException.NotFound("blob", hash.toString());
    }
    return blob;
  }

  private final StoredTrees trees = new StoredTrees(this::get);

  /// Stores a tree with these files: contents by path. A path that ends in `/` is an empty folder.
  private BlobHash put(SortedMap<String, String> files) {
    List<TreeEntry> entries = new ArrayList<>();
    Map<String, SortedMap<String, String>> folders = new TreeMap<>();
    files.forEach(
        (path, content) -> {
          int slash = path.indexOf('/');
          if (slash < 0) {
            entries.add(TreeCodecTest.file(path, 0644, content));
          } else {
            SortedMap<String, String> inside =
                folders.computeIfAbsent(path.substring(0, slash), _ -> new TreeMap<>());
            if (slash < path.length() - 1) {
              inside.put(path.substring(slash + 1), content);
            }
          }
        });
    folders.forEach(
        (name, inside) ->
            entries.add(new TreeEntry(name, TreeEntry.Kind.DIRECTORY, 0755, 0, put(inside))));
    Tree tree = new Tree(entries);
    blobs.put(tree.hash(), tree.payload());
    return tree.hash();
  }

  private BlobHash put(String... paths) {
    SortedMap<String, String> files = new TreeMap<>();
    for (String path : paths) {
      files.put(path, path);
    }
    return put(files);
  }

  private List<String> walked(BlobHash root) {
    List<String> paths = new ArrayList<>();
    trees.walk(root, place -> paths.add(place.path()));
    return paths;
  }

  @Test
  void pathsLeadToFilesAndFolders() {
    BlobHash root = put("a", "d/e/f", "d/g", "empty/");
    assertThat(trees.entry(root, "d/e/f").kind()).isEqualTo(TreeEntry.Kind.FILE);
    assertThat(trees.entry(root, "/d//./e/").isDirectory()).isTrue();
    assertThat(trees.folder(root, "").entries())
        .extracting(TreeEntry::name)
        .containsExactly("a", "d", "empty");
    assertThat(trees.folder(root, "d").entries())
        .extracting(TreeEntry::name)
        .containsExactly("e", "g");
    assertThat(trees.folder(root, "empty").entries()).isEmpty();
  }

  @Test
  void whatIsNotThereIsSaid() {
    BlobHash root = put("a", "d/g");
    for (String path : new String[] {"x", "d/x", "..", "d/../a", "a/x"}) {
      assertThatThrownBy(() -> trees.entry(root, path))
          .as(path)
          .isInstanceOf(StoreException.NotFound.class);
    }
    assertThatThrownBy(() -> trees.folder(root, "a"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("path is not a directory: a");
    for (String path : new String[] {"", "/", "./."}) {
      assertThatThrownBy(() -> trees.entry(root, path)).isInstanceOf(StoreException.Invalid.class);
    }
    assertThatThrownBy(() -> trees.entry(root, "x/".repeat(300)))
        .isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void aWalkGoesThroughEverythingInOrder() {
    assertThat(walked(put("b", "a/c/d", "a/b", "a/c/e", "z/")))
        .containsExactly("a", "a/b", "a/c", "a/c/d", "a/c/e", "b", "z");
  }

  @Test
  void aTreeThatRepeatsItselfIsRefusedBeforeItTakesForEver() {
    BlobHash at = put("leaf");
    for (int i = 0; i < 64; i++) {
      Tree twice =
          new Tree(
              List.of(
                  new TreeEntry("l", TreeEntry.Kind.DIRECTORY, 0, 0, at),
                  new TreeEntry("r", TreeEntry.Kind.DIRECTORY, 0, 0, at)));
      blobs.put(twice.hash(), twice.payload());
      at = twice.hash();
    }
    BlobHash root = at;
    StoredTrees tight = new StoredTrees(this::get, new TreeLimits(10_000, 256));
    assertThatThrownBy(() -> tight.walk(root, _ -> {})).isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> tight.diff(root, put("other")))
        .isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void aTreeThatIsTooDeepIsRefused() {
    BlobHash at = put("leaf");
    for (int i = 0; i < 300; i++) {
      Tree one = new Tree(List.of(new TreeEntry("d", TreeEntry.Kind.DIRECTORY, 0, 0, at)));
      blobs.put(one.hash(), one.payload());
      at = one.hash();
    }
    BlobHash root = at;
    assertThatThrownBy(() -> trees.walk(root, _ -> {}))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("256");
  }

  @Test
  void aMissingFolderIsSaid() {
    BlobHash root = put("d/x");
    blobs.remove(trees.entry(root, "d").hash());
    assertThatThrownBy(() -> walked(root)).isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void aDifferenceIsToldPathByPath() {
    BlobHash before = put("same", "gone", "d/old", "turns", "f/x/y");
    BlobHash after = put("same", "new", "d/new", "turns/in", "f/x/y");
    assertThat(trees.diff(before, after))
        .extracting(change -> change.getClass().getSimpleName() + " " + change.path())
        .containsExactly(
            "Added d/new",
            "Removed d/old",
            "Removed gone",
            "Added new",
            "Removed turns",
            "Added turns",
            "Added turns/in");
  }

  @Test
  void aChangeOfContentModeOrKindIsAModification() {
    TreeEntry plain = TreeCodecTest.file("a", 0644, "x");
    for (TreeEntry other :
        new TreeEntry[] {
          TreeCodecTest.file("a", 0755, "x"),
          TreeCodecTest.file("a", 0644, "y"),
          new TreeEntry("a", TreeEntry.Kind.SYMLINK, 0644, 1, plain.hash())
        }) {
      Tree one = new Tree(List.of(plain));
      Tree two = new Tree(List.of(other));
      blobs.put(one.hash(), one.payload());
      blobs.put(two.hash(), two.payload());
      assertThat(trees.diff(one.hash(), two.hash()))
          .containsExactly(new StoredTrees.Change.Modified("a", plain, other));
    }
  }

  @Test
  void whatIsTheSameIsNotRead() {
    SortedMap<String, String> files = new TreeMap<>();
    for (int i = 0; i < 50; i++) {
      files.put("folder" + i + "/file", "" + i);
    }
    BlobHash before = put(files);
    files.put("folder7/file", "other");
    BlobHash after = put(files);
    read = 0;

    assertThat(trees.diff(before, after)).hasSize(1);
    assertThat(read).isEqualTo(4); // both roots, both folders
    assertThat(trees.diff(before, before)).isEmpty();
    assertThat(read).isEqualTo(4);
  }

  @Test
  void aDifferenceIsWhatTheFilesDifferIn() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SortedMap<String, String> one = randomFiles(random);
      SortedMap<String, String> two = randomFiles(random);
      SortedMap<String, String> patched = new TreeMap<>(one);
      for (StoredTrees.Change change : trees.diff(put(one), put(two))) {
        switch (change) {
          case StoredTrees.Change.Added(String path, TreeEntry entry) -> {
            if (!entry.isDirectory()) {
              patched.put(path, two.get(path));
            }
          }
          case StoredTrees.Change.Removed(String path, TreeEntry entry) -> {
            if (!entry.isDirectory()) {
              patched.remove(path);
            }
          }
          case StoredTrees.Change.Modified(String path, _, _) -> patched.put(path, two.get(path));
        }
      }
      assertThat(patched).as("seed %d", seed).isEqualTo(two);
    }
  }

  private static SortedMap<String, String> randomFiles(SplittableRandom random) {
    SortedMap<String, String> files = new TreeMap<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      String path = "" + (char) ('a' + random.nextInt(3));
      for (int depth = random.nextInt(3); depth > 0; depth--) {
        path += "/" + (char) ('a' + random.nextInt(3));
      }
      String added = path;
      boolean isTaken =
          files.keySet().stream()
              .anyMatch(f -> f.startsWith(added + "/") || added.startsWith(f + "/"));
      if (!isTaken) {
        files.put(path, "" + random.nextInt(3));
      }
    }
    return files;
  }
}
