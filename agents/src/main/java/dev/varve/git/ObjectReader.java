// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Consumer;

/// Reads many objects through one `git cat-file --batch`. For one thread.
public final class ObjectReader implements AutoCloseable {

  private static final int HEADER_BYTES_MAX = 200;

  private final Path place;
  private final Process process;
  private final InputStream out;
  private final OutputStream in;

  private ObjectReader(Path place, Process process) {
    this.place = place;
    this.process = process;
    this.out = new BufferedInputStream(process.getInputStream(), 1 << 16);
    this.in = process.getOutputStream();
  }

  public static ObjectReader open(Git git) {
    Process process = git.start("cat-file", "--batch");
    Thread.ofVirtual()
        .name("git-stream")
        .start(() -> Git.drain(process.getErrorStream(), new ByteArrayOutputStream()));
    return new ObjectReader(git.folder(), process);
  }

  /// Copies a blob's bytes, never all of them in memory.
  ///
  /// @return how many
  /// @throws StoreException.NotFound if git does not have it
  /// @throws StoreException.Full if `to` has no room for it
  /// @throws StoreException.Io if `to` does not take it; the reader is then of no further use
  public long copy(String id, OutputStream to) {
    return copy(id, _ -> {}, to);
  }

  /// Returns whether an object is what its id says: its bytes are read, and hashed.
  ///
  /// @param digest a new one of the kind that the repository names objects by
  /// @throws StoreException.NotFound if git does not have the object
  /// @throws StoreException.Io if git cannot read it; the reader is then of no further use
  public boolean isSound(String id, MessageDigest digest) {
    copy(
        id,
        header -> digest.update((header + "\0").getBytes(US_ASCII)),
        new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    return HexFormat.of().formatHex(digest.digest()).equals(id);
  }

  private long copy(String id, Consumer<String> begun, OutputStream to) {
    try {
      in.write((id + "\n").getBytes(US_ASCII));
      in.flush();
      String[] header = header().split(" ", -1);
      if (header.length != 3) {
        throw new StoreException.NotFound("git object", id);
      }
      long sizeBytes = Long.parseLong(header[2]);
      begun.accept(header[1] + " " + sizeBytes);
      byte[] buffer = new byte[1 << 16];
      for (long left = sizeBytes; left > 0; ) {
        int read = out.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new EOFException("git cat-file ended in the middle of " + id);
        }
        to.write(buffer, 0, read);
        left -= read;
      }
      if (out.read() != '\n') {
        throw new EOFException("git cat-file did not end " + id);
      }
      return sizeBytes;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(place, "read object " + id, 0, e);
    }
  }

  /// A small object as a whole.
  public byte[] bytes(String id) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    copy(id, bytes);
    return bytes.toByteArray();
  }

  private String header() throws IOException {
    StringBuilder header = new StringBuilder();
    for (int b = out.read(); b != '\n'; b = out.read()) {
      if (b < 0 || header.length() > HEADER_BYTES_MAX) {
        throw new EOFException("git cat-file answered: " + header);
      }
      header.append((char) b);
    }
    return header.toString();
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // It has ended already.
    }
    process.destroyForcibly();
  }
}
