// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.LocalDisk;
import dev.varve.files.ForceTogether;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Takes objects out of the database of a git repository. Files of single objects are deleted;
/// packs are written anew without the objects, and deleted when the new packs are on the disk. A
/// kill at any moment leaves every other object where git finds it.
///
/// Packs that git must keep (`.keep`), and packs of partial clones (`.promisor`), are left as they
/// are; so are databases that this one borrows from.
public final class ObjectRemoval {

  /// The place of an object that is left.
  public enum Place {
    LOOSE,
    PACK,
    KEPT_PACK,
    /// The object is in no file of this database: git reads it from one that this borrows from.
    BORROWED
  }

  private static final List<String> KEEPERS = List.of("keep", "promisor");

  private final Git git;
  private final Path objects;
  private final int idBytes;

  /// @param objects the folder `objects` of the repository
  /// @param idBytes the length of an object's id
  public ObjectRemoval(Git git, Path objects, int idBytes) {
    this.git = git;
    this.objects = objects;
    this.idBytes = idBytes;
  }

  /// Deletes the files of objects, as far as they exist.
  ///
  /// @param before a file that was written or touched later is left: somebody uses the object
  public void deleteLoose(Collection<String> ids, Instant before) {
    for (String id : ids) {
      Path file = loose(id);
      try {
        if (Files.exists(file) && Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
          Files.delete(file);
        }
      } catch (NoSuchFileException e) {
        // somebody else collects garbage
      } catch (IOException e) {
        throw DiskErrors.ofWrite(file, "delete", 0, e);
      }
    }
  }

  /// Writes each pack anew that has one of the objects.
  public void rewritePacks(Set<String> ids) {
    List<Path> old = new ArrayList<>();
    for (Path index : indexes()) {
      if (!isKept(index) && writeWithout(index, ids)) {
        old.add(index);
      }
    }
    if (old.isEmpty()) {
      return;
    }
    LocalDisk.ofUser(folder()).forceNames();
    delete("multi-pack-index*"); // names packs; git does without, or makes it again
    for (Path index : old) {
      String name = String.valueOf(index.getFileName()).replaceAll("idx$", "");
      delete(name + "pack");
      delete(name + "*");
    }
  }

  /// The place of an object that git has.
  public Place place(String id) {
    if (Files.exists(loose(id))) {
      return Place.LOOSE;
    }
    for (Path index : indexes()) {
      try (PackFile pack = open(index)) {
        if (pack.has(id)) {
          return isKept(index) ? Place.KEPT_PACK : Place.PACK;
        }
      } catch (IOException e) {
        // git cannot read the pack either
      }
    }
    return Place.BORROWED;
  }

  private Path folder() {
    return objects.resolve("pack");
  }

  private Path loose(String id) {
    return objects.resolve(id.substring(0, 2)).resolve(id.substring(2));
  }

  private List<Path> indexes() {
    List<Path> indexes = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder(), "pack-*.idx")) {
      found.forEach(indexes::add);
    } catch (NoSuchFileException e) {
      return indexes; // no packs
    } catch (IOException | DirectoryIteratorException e) {
      throw new StoreException.Io(folder().toString(), "cannot be listed", e);
    }
    return indexes;
  }

  private static boolean isKept(Path index) {
    return KEEPERS.stream().anyMatch(end -> Files.exists(beside(index, end)));
  }

  private static Path beside(Path index, String end) {
    return index.resolveSibling(String.valueOf(index.getFileName()).replaceAll("idx$", end));
  }

  private PackFile open(Path index) throws IOException {
    return PackFile.open(index, beside(index, "pack"), idBytes);
  }

  /// Writes a pack with all other objects of a pack.
  ///
  /// @return whether the pack has one of the objects
  private boolean writeWithout(Path index, Set<String> ids) {
    try (PackFile pack = open(index)) {
      if (ids.stream().noneMatch(pack::has)) {
        return false;
      }
      String rest = pack.ids().filter(id -> !ids.contains(id)).collect(Collectors.joining("\n"));
      if (rest.isEmpty()) {
        return true;
      }
      demandAll(rest, write(rest));
      return true;
    } catch (IOException e) {
      throw new StoreException.Io(index.toString(), "cannot be read", e);
    }
  }

  /// Writes packs with these objects, on the disk on return.
  ///
  /// @return their indexes: one, unless the user's settings limit the size of a pack
  private List<Path> write(String ids) {
    String place = folder().resolve("pack").toString();
    byte[] names =
        git.feed(
            (ids + "\n").getBytes(US_ASCII), "pack-objects", "-q", "--delta-base-offset", place);
    List<Path> indexes = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (String name : new String(names, US_ASCII).lines().toList()) {
      Path index = folder().resolve("pack-" + name + ".idx");
      indexes.add(index);
      files.addAll(List.of(index, beside(index, "pack")));
    }
    ForceTogether.all(files);
    return indexes;
  }

  private void demandAll(String ids, List<Path> indexes) throws IOException {
    Set<String> absent = ids.lines().collect(Collectors.toCollection(HashSet::new));
    for (Path index : indexes) {
      try (PackFile written = open(index)) {
        written.ids().forEach(absent::remove);
      }
    }
    if (!absent.isEmpty()) {
      throw new StoreException.Corrupt(
          folder().toString(), 0, "object " + absent.iterator().next() + " in a new pack", "none");
    }
  }

  private void delete(String names) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), names)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new StoreException.Io(folder().toString(), "a pack cannot be deleted", e);
    }
  }
}
