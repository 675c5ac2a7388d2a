// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/// Writes objects into a git repository, each as a file of its own, without running git. For several
/// threads and processes at once.
///
/// An object that is there is not written again, but made young, so that garbage collection leaves
/// it alone. Format: git's `gitformat-loose`, and `gitformat-pack` for commits and trees.
public final class LooseObjects {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String WHO = " pi rewind <pi-rewind@localhost> ";

  private final Path objects;
  private final String algorithm;

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

  /// Writes a small object. Once this returns, its bytes are on the disk.
  ///
  /// @param type `blob`, `tree` or `commit`
  /// @return its id
  public String write(String type, byte[] content) {
    byte[] header = header(type, content.length);
    String id = id(type, content);
    Path file = file(id);
    if (!freshened(file)) {
      store(file, out -> {
        out.write(header);
        out.write(content);
      });
    }
    return id;
  }

  /// Writes a file's content as a blob. The file is read twice, and must not change meanwhile.
  ///
  /// @param sizeBytes how large it is
  /// @return its id
  /// @throws IOException if the file cannot be read, or is not of that size any more
  public String writeFile(Path source, long sizeBytes) throws IOException {
    byte[] header = header("blob", sizeBytes);
    MessageDigest digest = digest();
    digest.update(header);
    copy(source, sizeBytes, digest::update);
    String id = HexFormat.of().formatHex(digest.digest());
    Path file = file(id);
    if (!freshened(file)) {
      MessageDigest again = digest();
      again.update(header);
      store(
          file,
          out -> {
            out.write(header);
            copy(
                source,
                sizeBytes,
                (bytes, from, length) -> {
                  again.update(bytes, from, length);
                  out.write(bytes, from, length);
                });
            if (!HexFormat.of().formatHex(again.digest()).equals(id)) {
              throw new IOException(source + " changed while it was read");
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
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        left -= read;
        if (left < 0) {
          break;
        }
        sink.accept(buffer, 0, read);
      }
    }
    if (left != 0) {
      throw new IOException(source + " changed while it was read");
    }
  }

  private static byte[] header(String type, long sizeBytes) {
    return (type + " " + sizeBytes + "\0").getBytes(US_ASCII);
  }

  private Path file(String id) {
    return objects.resolve(id.substring(0, 2)).resolve(id.substring(2));
  }

  private static boolean freshened(Path file) {
    if (!Files.exists(file)) {
      return false;
    }
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      return true;
    } catch (IOException e) {
      return false; // collected this moment, or not ours: written again
    }
  }

  private void store(Path file, Content content) {
    Path folder = file.getParent();
    Path fresh =
        folder.resolve("tmp_obj_" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    try {
      makeFolder(folder);
      try (FileChannel channel = FileChannel.open(fresh, CREATE_NEW, WRITE)) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (OutputStream out = new Unclosed(channel);
            DeflaterOutputStream packed = new DeflaterOutputStream(out, deflater, BUFFER_BYTES)) {
          content.writeTo(packed);
        } finally {
          deflater.end();
        }
        channel.force(true);
      }
      if (isPosix()) {
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("r--r--r--"));
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      remove(fresh);
      throw refusal(file, e);
    } catch (StoreException e) {
      remove(fresh);
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

  private static StoreException refusal(Path file, IOException e) {
    String said = String.valueOf(e.getMessage());
    return said.contains("No space left") || said.contains("quota exceeded")
        ? new StoreException.Full(file.toString(), e)
        : new StoreException.Io(file.toString(), "write: " + said, e);
  }

  /// A channel as a stream that leaves it open, to be forced.
  private static final class Unclosed extends OutputStream {
    private final OutputStream out;

    Unclosed(FileChannel channel) {
      this.out = Channels.newOutputStream(channel);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() {
      // the channel is closed by who opened it
    }
  }
}
