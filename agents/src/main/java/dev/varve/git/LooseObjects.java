// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.ForceTogether;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/// Writes objects into a git repository, each as a file of its own, without running git. For
/// several threads and processes at once.
///
/// Objects appear all at once, in [#settle], when their bytes are on the disk: so they can be
/// forced together, and nobody meets one that a power cut emptied. An object that is there is not
/// written again, but made young, so that garbage collection leaves it alone. Format: git's
/// `gitformat-loose`, and `gitformat-pack` for commits and trees.
public final class LooseObjects {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int SMALL_BUFFER_BYTES = 1 << 12;
  private static final String WHO = " pi rewind <pi-rewind@localhost> ";

  private final Path objects;
  private final String algorithm;

  /// Written, not yet forced, by id.
  private final Map<String, Path> pending = new ConcurrentHashMap<>();

  /// @param objects the repository's folder `objects`
  /// @param format `sha1` or `sha256`
  public LooseObjects(Path objects, String format) {
    this.objects = objects;
    this.algorithm = format.equals("sha256") ? "SHA-256" : "SHA-1";
  }

  /// A new hash, as the repository names objects by.
  public MessageDigest digest() {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has both
    }
  }

  /// The id that an object has or would have.
  public String id(String type, byte[] content) {
    MessageDigest digest = digest();
    digest.update(header(type, content.length));
    return HexFormat.of().formatHex(digest.digest(content));
  }

  /// Writes a small object, to appear with the next [#settle].
  ///
  /// @param type `blob`, `tree` or `commit`
  /// @return its id
  public String write(String type, byte[] content) {
    byte[] header = header(type, content.length);
    String id = id(type, content);
    if (!pending.containsKey(id) && !freshened(id)) {
      try {
        store(
            id,
            out -> {
              out.write(header);
              out.write(content);
            });
      } catch (ChangedWhileRead e) {
        throw new AssertionError(e); // no file
      }
    }
    return id;
  }

  /// Writes the beginning of a file as a blob, to appear with the next [#settle]. It is read twice,
  /// and must be the same both times.
  ///
  /// @param sizeBytes how much of it: as large as it was found to be
  /// @return its id
  /// @throws ChangedWhileRead if it is shorter by now, or was not the same both times
  /// @throws IOException if the file cannot be read
  public String writeFile(Path source, long sizeBytes) throws IOException {
    byte[] header = header("blob", sizeBytes);
    MessageDigest digest = digest();
    digest.update(header);
    copy(source, sizeBytes, digest::update);
    String id = HexFormat.of().formatHex(digest.digest());
    if (!pending.containsKey(id) && !freshened(id)) {
      MessageDigest again = digest();
      again.update(header);
      store(
          id,
          out -> {
            out.write(header);
            try {
              copy(
                  source,
                  sizeBytes,
                  (bytes, from, length) -> {
                    again.update(bytes, from, length);
                    out.write(bytes, from, length);
                  });
            } catch (FileSystemException e) {
              throw new ChangedWhileRead(source); // it went away after it was read once
            }
            if (!HexFormat.of().formatHex(again.digest()).equals(id)) {
              throw new ChangedWhileRead(source);
            }
          });
    }
    return id;
  }

  /// Writes a commit by nobody in particular.
  public String commit(String tree, List<String> parents, String message, Instant at) {
    StringBuilder text = new StringBuilder("tree ").append(tree).append('\n');
    parents.forEach(parent -> text.append("parent ").append(parent).append('\n'));
    String stamp = WHO + at.getEpochSecond() + " +0000\n";
    text.append("author").append(stamp).append("committer").append(stamp).append('\n');
    return write("commit", text.append(message).toString().getBytes(UTF_8));
  }

  private interface Sink {
    void accept(byte[] bytes, int from, int length) throws IOException;
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private static void copy(Path source, long sizeBytes, Sink sink) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = sizeBytes;
    try (InputStream in = Files.newInputStream(source, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new ChangedWhileRead(source);
        }
        sink.accept(buffer, 0, read);
        left -= read;
      }
    }
  }

  private static byte[] header(String type, long sizeBytes) {
    return (type + " " + sizeBytes + "\0").getBytes(US_ASCII);
  }

  private Path file(String id) {
    return objects.resolve(id.substring(0, 2)).resolve(id.substring(2));
  }

  /// Makes an object young that is there as a file of its own, and sound.
  private boolean freshened(String id) {
    Path file = file(id);
    if (!Files.exists(file) || !isSound(id)) {
      return false;
    }
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      return true;
    } catch (IOException e) {
      return false; // collected this moment, or not ours: written again
    }
  }

  /// Returns whether the file of an object has just the bytes that its id is the hash of. Git
  /// itself looks no further than that there is a file.
  ///
  /// @return false if there is no such file: the object may be in a pack
  public boolean isSound(String id) {
    MessageDigest digest = digest();
    byte[] buffer = new byte[SMALL_BUFFER_BYTES]; // most objects are small, and there are many
    Inflater inflater = new Inflater();
    try (InputStream in =
        new InflaterInputStream(Files.newInputStream(file(id)), inflater, SMALL_BUFFER_BYTES)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest()).equals(id);
    } catch (IOException e) {
      return false;
    } finally {
      inflater.end();
    }
  }

  /// Returns whether an object is there as a file of its own, written before a moment.
  public boolean wasLooseBefore(String id, Instant moment) {
    try {
      return Files.readAttributes(file(id), BasicFileAttributes.class)
          .creationTime()
          .toInstant()
          .isBefore(moment);
    } catch (IOException e) {
      return false;
    }
  }

  private void store(String id, Content content) throws ChangedWhileRead {
    Path fresh =
        objects.resolve("tmp_obj_" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (OutputStream out = Files.newOutputStream(fresh, CREATE_NEW, WRITE);
        DeflaterOutputStream packed = new DeflaterOutputStream(out, deflater, BUFFER_BYTES)) {
      content.writeTo(packed);
    } catch (ChangedWhileRead e) {
      remove(fresh);
      throw e;
    } catch (IOException e) {
      remove(fresh);
      throw DiskErrors.ofWrite(fresh, "write", 0, e);
    } finally {
      deflater.end();
    }
    pending.put(id, fresh);
  }

  /// Lets what was written appear. Once this returns, its bytes are on the disk. Its names are so
  /// once anything that is renamed later is: as with git, that is left to the file system's order.
  public void settle() {
    Map<String, Path> written = Map.copyOf(pending);
    pending.keySet().removeAll(written.keySet());
    try {
      ForceTogether.all(written.values());
      for (Map.Entry<String, Path> each : written.entrySet()) {
        Path file = file(each.getKey());
        makeFolder(objects.resolve(each.getKey().substring(0, 2)));
        if (isPosix()) {
          Files.setPosixFilePermissions(
              each.getValue(), PosixFilePermissions.fromString("r--r--r--"));
        }
        Files.move(each.getValue(), file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      written.values().forEach(LooseObjects::remove);
      throw DiskErrors.ofWrite(objects, "write", 0, e);
    } catch (StoreException e) {
      written.values().forEach(LooseObjects::remove);
      throw e;
    }
  }

  private static void remove(Path fresh) {
    try {
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      // git's garbage collection removes it
    }
  }

  /// With the permissions of `objects`: repositories may be shared by several users.
  private void makeFolder(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      try {
        Files.createDirectory(folder);
        if (isPosix()) {
          Files.setPosixFilePermissions(folder, Files.getPosixFilePermissions(objects));
        }
      } catch (FileAlreadyExistsException e) {
        // another process
      }
    }
  }

  private boolean isPosix() {
    return objects.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
