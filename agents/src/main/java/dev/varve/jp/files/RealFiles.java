// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.LocalDisk;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Reads and writes regular files, and nothing through symbolic links below the folder that the
/// caller trusts.
public final class RealFiles {

  private RealFiles() {}

  /// Describes the thing at `path`, without following a symbolic link; empty if nothing is there.
  public static Optional<BasicFileAttributes> look(Path path) {
    try {
      return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (e.getMessage() != null && e.getMessage().contains("Not a directory")) {
        return Optional.empty(); // a file stands where a folder would be on the way
      }
      throw DiskErrors.of(path, "look up", e);
    }
  }

  /// `a symbolic link` and the like.
  public static String words(BasicFileAttributes found) {
    return found.isSymbolicLink()
        ? "a symbolic link"
        : found.isDirectory() ? "a folder" : found.isRegularFile() ? "a file" : "a special file";
  }

  /// Returns whether a real folder stands there.
  ///
  /// @throws StoreException.Corrupt if something else does
  public static boolean isFolder(Path path) {
    Optional<BasicFileAttributes> found = look(path);
    if (found.isPresent() && !found.get().isDirectory()) {
      throw new StoreException.Corrupt(path.toString(), 0, "a folder", words(found.get()));
    }
    return found.isPresent();
  }

  /// Returns whether a regular file stands there.
  ///
  /// @throws StoreException.Corrupt if something else does
  public static boolean isFile(Path path) {
    Optional<BasicFileAttributes> found = look(path);
    if (found.isPresent() && !found.get().isRegularFile()) {
      throw new StoreException.Corrupt(path.toString(), 0, "a regular file", words(found.get()));
    }
    return found.isPresent();
  }

  /// The names in a folder, sorted; none if it is absent.
  ///
  /// @throws StoreException.Corrupt if something else stands there
  public static List<Path> list(Path folder) {
    return isFolder(folder) ? listReal(folder) : List.of();
  }

  /// The names in what the caller has just looked at and found to be a folder, sorted; none if it
  /// is gone since.
  public static List<Path> listReal(Path folder) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of(); // gone since the look
    } catch (DirectoryIteratorException e) {
      throw DiskErrors.of(folder, "list", Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw DiskErrors.of(folder, "list", e);
    }
    found.sort(null);
    return found;
  }

  /// Opens a regular file to read it from the beginning. The caller closes it.
  ///
  /// @throws StoreException.NotFound if there is none
  public static InputStream open(Path file) {
    demandFile(file);
    try {
      return Files.newInputStream(file, READ, NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new StoreException.NotFound("file", file.toString());
    } catch (IOException e) {
      throw DiskErrors.of(file, "open", e);
    }
  }

  /// The bytes of a regular file.
  ///
  /// @throws StoreException.NotFound if there is none
  /// @throws StoreException.TooLarge if there are more than `sizeBytesMax`
  public static byte[] read(Path file, int sizeBytesMax) {
    try (InputStream in = open(file)) {
      byte[] bytes = in.readNBytes(sizeBytesMax + 1);
      if (bytes.length > sizeBytesMax) {
        throw new StoreException.TooLarge(file.toString(), bytes.length, sizeBytesMax);
      }
      return bytes;
    } catch (IOException e) {
      throw DiskErrors.of(file, "read", e);
    }
  }

  private static void demandFile(Path file) {
    if (!isFile(file)) {
      throw new StoreException.NotFound("file", file.toString());
    }
  }

  /// Makes one folder if it is absent.
  ///
  /// @return whether it was absent
  public static boolean makeFolder(Path folder) {
    if (isFolder(folder)) {
      return false;
    }
    try {
      Files.createDirectory(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      isFolder(folder); // somebody was faster; what they made must be a folder
      return false;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "create folder", 0, e);
    }
  }

  /// Writes a file that must not exist. The file, whole, survives a power cut when this returns.
  ///
  /// @throws StoreException.Conflict if something stands there, be it a link
  public static void writeNew(Path file, byte[] bytes) {
    WholeFile.at(file).create(bytes);
  }

  /// Writes a file that must not exist and is no use before `ForceTogether` has forced it. A file
  /// that could not be written is removed.
  public static void writeUnforced(Path file, byte[] bytes) {
    try {
      try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE, NOFOLLOW_LINKS)) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (IOException e) {
        Files.deleteIfExists(file);
        throw e;
      }
    } catch (IOException e) {
      throw DiskErrors.ofWrite(file, "write", bytes.length, e);
    }
  }

  /// Gives `from` the name `to` in one step, in the place of what had it.
  public static void replace(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(to, "replace", 0, e);
    }
  }

  /// Removes a file, or an empty folder.
  ///
  /// @return false if it is not there, or is a folder with something in it
  public static boolean delete(Path path) {
    try {
      return Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException e) {
      return false;
    } catch (IOException e) {
      throw DiskErrors.of(path, "delete", e);
    }
  }

  /// Returns once the names in a folder survive a power cut, where the system can be asked for
  /// that.
  public static void forceFolder(Path folder) {
    LocalDisk.ofUser(folder).forceNames();
  }
}
