// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import dev.varve.StoreException;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A JP workspace: the project's folder, its `.jp`, and what the user keeps of it elsewhere.
///
/// @param folder the project's
/// @param id of the workspace; null if `.jp/.id` is absent or no id, and then there is no
///   user-local root, for JP would give such a workspace a new id
/// @param userLocal null if there is none
public record Workspace(Path folder, Root shared, @Nullable String id, @Nullable Root userLocal) {

  private static final Pattern ID = Pattern.compile("[0-9a-z]{5}");
  private static final int ID_FILE_BYTES_MAX = 4096;

  /// The workspace at `start` or above it.
  ///
  /// @param userData see [UserData]
  /// @throws StoreException.NotFound if there is none
  /// @throws StoreException.Corrupt if `.jp` is a symbolic link or a file
  public static Workspace find(Path start, Path userData) {
    for (Path at = start.toAbsolutePath().normalize(); at != null; at = at.getParent()) {
      Path storage = at.resolve(".jp");
      // JP takes a `.jp` that is no folder for none; a link could lead a rewrite out of the
      // project.
      Optional<BasicFileAttributes> found = RealFiles.look(storage);
      if (found.isPresent() && !found.get().isRegularFile() && RealFiles.isFolder(storage)) {
        return of(at, storage, userData);
      }
    }
    throw new StoreException.NotFound("JP workspace", start.toString());
  }

  private static Workspace of(Path folder, Path storage, Path userData) {
    String id = readId(storage.resolve(".id"));
    Root local = id == null ? null : findUserLocal(folder, id, userData);
    return new Workspace(folder, new Root(Root.Kind.WORKSPACE, storage), id, local);
  }

  private static @Nullable String readId(Path file) {
    if (!RealFiles.isFile(file)) {
      return null;
    }
    try {
      String text = new String(RealFiles.read(file, ID_FILE_BYTES_MAX), StandardCharsets.UTF_8);
      String last = text.lines().reduce("", (_, line) -> line).strip();
      return ID.matcher(last).matches() ? last : null;
    } catch (StoreException.TooLarge e) {
      return null;
    }
  }

  /// Among several the one that is named as the workspace, else the newest.
  private static @Nullable Root findUserLocal(Path folder, String id, Path userData) {
    List<Path> candidates = new ArrayList<>();
    for (Path entry : RealFiles.list(userData.resolve("workspace"))) {
      String name = String.valueOf(entry.getFileName());
      if ((name.equals(id) || name.endsWith("-" + id))
          && RealFiles.look(entry).filter(BasicFileAttributes::isDirectory).isPresent()) {
        candidates.add(entry);
      }
    }
    String exact = folder.getFileName() + "-" + id;
    return candidates.stream()
        .max(
            Comparator.comparing((Path path) -> path.endsWith(exact))
                .thenComparing(path -> FileState.of(path).orElseThrow().modified()))
        .map(path -> new Root(Root.Kind.USER_LOCAL, path))
        .orElse(null);
  }

  /// The storage locations, the workspace's first.
  public List<Root> roots() {
    return userLocal == null ? List.of(shared) : List.of(shared, userLocal);
  }

  /// Where JP keeps its locks.
  public Path locks() {
    return (userLocal == null ? shared : userLocal).folder().resolve("locks");
  }

  /// The live and archived conversations of both roots, in the order of their ids.
  ///
  /// @param odd is told of folders that are no conversation's
  public List<Conversation> conversations(Consumer<? super String> odd) {
    Map<ConversationId, List<Copy>> copies = new TreeMap<>();
    for (Root root : roots()) {
      for (Copy copy : copies(root, odd)) {
        copies.computeIfAbsent(copy.id(), _ -> new ArrayList<>()).add(copy);
      }
    }
    return copies.entrySet().stream()
        .map(entry -> new Conversation(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static List<Copy> copies(Root root, Consumer<? super String> odd) {
    List<Copy> copies = new ArrayList<>();
    collect(root, root.conversations(), Copy.Partition.LIVE, copies, odd);
    collect(root, root.conversations().resolve(".archive"), Copy.Partition.ARCHIVED, copies, odd);
    return copies;
  }

  /// The conversations that JP moved to its trash, by folder.
  public List<Copy> trashed() {
    List<Copy> copies = new ArrayList<>();
    for (Root root : roots()) {
      Path trash = root.conversations().resolve(".trash");
      collect(root, trash, Copy.Partition.TRASHED, copies, _ -> {});
    }
    return copies;
  }

  private static void collect(
      Root root,
      Path parent,
      Copy.Partition partition,
      List<Copy> into,
      Consumer<? super String> odd) {
    for (Path folder : RealFiles.list(parent)) {
      String name = String.valueOf(folder.getFileName());
      BasicFileAttributes found = RealFiles.look(folder).orElse(null);
      if (found == null || found.isRegularFile() || name.startsWith(".")) {
        continue; // as JP does
      }
      Optional<ConversationId> id = ConversationId.ofFolder(name);
      if (!found.isDirectory()) {
        odd.accept(folder + ": " + RealFiles.words(found) + ", not followed");
      } else if (id.isEmpty()) {
        odd.accept(folder + ": no conversation's name");
      } else {
        into.add(new Copy(id.get(), root, partition, folder));
      }
    }
  }
}
