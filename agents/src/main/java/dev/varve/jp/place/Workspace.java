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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A JP workspace: the project's folder, its `.jp`, and the folders in the user's data that belong
/// to it.
///
/// @param folder the project's
/// @param id of the workspace; null if `.jp/.id` is absent or no id, and then there is no
///   user-local root, for JP would give such a workspace a new id
/// @param userLocal the user-local root that JP uses; null if there is none
/// @param otherLocals folders of the user's data that JP does not use now and that belong to this
///   workspace all the same: others with its id, and, while the id is not known, those that are
///   named as the workspace. Their conversations may refer to its blobs
public record Workspace(
    Path folder,
    WorkspaceRoot shared,
    @Nullable String id,
    @Nullable WorkspaceRoot userLocal,
    List<WorkspaceRoot> otherLocals) {

  private static final Pattern ID = Pattern.compile("[0-9a-z]{5}");
  private static final int ID_FILE_BYTES_MAX = 4096;

  public Workspace {
    otherLocals = List.copyOf(otherLocals);
  }

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
    List<WorkspaceRoot> locals = new ArrayList<>(findLocals(folder, id, userData));
    WorkspaceRoot used = id == null || locals.isEmpty() ? null : locals.removeFirst();
    return new Workspace(
        folder, new WorkspaceRoot(WorkspaceRoot.Kind.WORKSPACE, storage), id, used, locals);
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

  /// The folders of the user's data that belong to the workspace, the one that JP uses first: the
  /// one that is named as the workspace, else the newest.
  private static List<WorkspaceRoot> findLocals(Path folder, @Nullable String id, Path userData) {
    Pattern names =
        id != null
            ? Pattern.compile("(?:.*-)?" + id, Pattern.DOTALL)
            : Pattern.compile(Pattern.quote(folder.getFileName() + "-") + ID.pattern());
    List<Path> candidates = new ArrayList<>();
    for (Path entry : RealFiles.list(userData.resolve("workspace"))) {
      if (names.matcher(String.valueOf(entry.getFileName())).matches()
          && RealFiles.look(entry).filter(BasicFileAttributes::isDirectory).isPresent()) {
        candidates.add(entry);
      }
    }
    String exact = folder.getFileName() + "-" + id;
    return candidates.stream()
        .sorted(
            Comparator.comparing((Path path) -> path.endsWith(exact))
                .thenComparing(path -> FileState.of(path).orElseThrow().modified())
                .reversed())
        .map(path -> new WorkspaceRoot(WorkspaceRoot.Kind.USER_LOCAL, path))
        .toList();
  }

  /// The storage locations, the workspace's first.
  public List<WorkspaceRoot> roots() {
    return userLocal == null ? List.of(shared) : List.of(shared, userLocal);
  }

  /// Every folder of conversations that may refer to the workspace's blobs, in whichever root these
  /// lie: a conversation that JP copies from one root to the other takes no blob along.
  public List<Path> referringFolders() {
    return Stream.concat(roots().stream(), otherLocals.stream())
        .map(WorkspaceRoot::conversations)
        .toList();
  }

  /// The folder in which JP keeps its locks.
  public Path locks() {
    return (userLocal == null ? shared : userLocal).folder().resolve("locks");
  }

  /// The live and archived conversations of both roots, in the order of their ids.
  ///
  /// @param odd receives a message for each folder that is no conversation's
  public List<Conversation> conversations(Consumer<? super String> odd) {
    Map<ConversationId, List<ConversationCopy>> copies = new TreeMap<>();
    for (WorkspaceRoot root : roots()) {
      for (ConversationCopy copy : copies(root, odd)) {
        copies.computeIfAbsent(copy.id(), _ -> new ArrayList<>()).add(copy);
      }
    }
    return copies.entrySet().stream()
        .map(entry -> new Conversation(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static List<ConversationCopy> copies(WorkspaceRoot root, Consumer<? super String> odd) {
    List<ConversationCopy> copies = new ArrayList<>();
    collect(root, root.conversations(), ConversationCopy.Partition.LIVE, copies, odd);
    collect(
        root,
        root.conversations().resolve(".archive"),
        ConversationCopy.Partition.ARCHIVED,
        copies,
        odd);
    return copies;
  }

  /// The conversations that JP moved to its trash, by folder.
  public List<ConversationCopy> trashed() {
    List<ConversationCopy> copies = new ArrayList<>();
    for (WorkspaceRoot root : roots()) {
      Path trash = root.conversations().resolve(".trash");
      collect(root, trash, ConversationCopy.Partition.TRASHED, copies, _ -> {});
    }
    return copies;
  }

  private static void collect(
      WorkspaceRoot root,
      Path parent,
      ConversationCopy.Partition partition,
      List<ConversationCopy> into,
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
        into.add(new ConversationCopy(id.get(), root, partition, folder));
      }
    }
  }
}
