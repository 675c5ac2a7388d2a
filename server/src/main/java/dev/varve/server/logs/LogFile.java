// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file to which lines are appended; its owner alone may read a file that is made here. Another
/// program may rotate the file while it is in use: by moving it away, after which the next line
/// goes to a new file within a second, or by copying and truncating it.
///
/// A stream rather than a channel: a channel is closed for good when a thread that writes to it is
/// interrupted.
final class LogFile implements LineSink {

  private static final System.Logger LOG = System.getLogger(LogFile.class.getPackageName());

  /// The time between two looks whether the path still leads to the open file.
  private static final long LOOK_NANOS = 1_000_000_000;

  private final Path path;
  private final long lookNanos;
  private FileOutputStream file;
  private @Nullable Object identity;
  private long lookedNanos = System.nanoTime();

  private LogFile(Path path, long lookNanos) throws IOException {
    this.path = path;
    this.lookNanos = lookNanos;
    this.file = opened(path);
    this.identity = identity(path);
  }

  /// Opens the file for appending and makes it if it is absent.
  ///
  /// @throws StoreException.Io if the file cannot be written
  static LogFile open(Path path) {
    return open(path, LOOK_NANOS);
  }

  static LogFile open(Path path, long lookNanos) {
    try {
      return new LogFile(path, lookNanos);
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be written", e);
    }
  }

  private static FileOutputStream opened(Path path) throws IOException {
    try {
      Files.createFile(path, FileAccess.OWNER_ONLY.ofFile(path));
    } catch (FileAlreadyExistsException e) {
      // the owner of the machine decided who may read the file
    }
    return new FileOutputStream(path.toFile(), true);
  }

  /// The file that the path leads to; null for none, or where the system gives files no identity.
  private static @Nullable Object identity(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public synchronized void write(String lines) throws IOException {
    long now = System.nanoTime();
    if (now - lookedNanos >= lookNanos) {
      lookedNanos = now;
      followRotation();
    }
    file.write(lines.getBytes(StandardCharsets.UTF_8)); // one call, so that lines stay whole
  }

  private void followRotation() throws IOException {
    if (Objects.equals(identity, identity(path))) {
      return;
    }
    FileOutputStream next = opened(path);
    file.close();
    file = next;
    identity = identity(path);
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, path + ": " + e.getMessage());
    }
  }
}
