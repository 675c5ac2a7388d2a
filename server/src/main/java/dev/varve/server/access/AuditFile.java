// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// The audit log as a file with one line of JSON for each entry. Another program may rotate the
/// file by copying and truncating it.
///
/// An entry that cannot be written is counted, and the first such failure is logged; the request
/// was answered already.
public final class AuditFile implements AuditLog, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(AuditFile.class.getName());

  private final Path path;
  private final FileChannel file;
  private final InstantSource clock;
  private final AtomicLong lost = new AtomicLong();

  private AuditFile(Path path, FileChannel file, InstantSource clock) {
    this.path = path;
    this.file = file;
    this.clock = clock;
  }

  /// Opens the file for appending and creates it if it is absent.
  public static AuditFile open(Path path, InstantSource clock) {
    try {
      return new AuditFile(
          path,
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
          clock);
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be written", e);
    }
  }

  @Override
  public void wrote(Entry entry) {
    String line =
        "{\"at\":\"%s\",\"port\":%s,\"who\":%s,\"peer\":%s,\"what\":%s,\"target\":%s,\"status\":%d}\n"
            .formatted(
                clock.instant(),
                quoted(entry.port()),
                quoted(entry.who()),
                quoted(entry.peer()),
                quoted(entry.what()),
                quoted(entry.target()),
                entry.status());
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    synchronized (this) { // a line stays whole
      try {
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      } catch (IOException e) {
        if (lost.getAndIncrement() == 0) {
          LOG.log(System.Logger.Level.ERROR, path + ": audit entries are lost: " + e.getMessage());
        }
      }
    }
  }

  /// The number of entries that could not be written.
  public long lost() {
    return lost.get();
  }

  /// A JSON string. Every character that could break a line or a terminal is escaped.
  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
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
