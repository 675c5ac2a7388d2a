// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.pi.branch.AgentFolder;
import dev.varve.pi.branch.JsonString;
import dev.varve.pi.session.SessionHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes a *new* session out of one that was held elsewhere, for a folder of this computer: its
/// header is new (id, time, `cwd`, and the original as its parent), all that follows is the same,
/// byte for byte.
public final class SessionMove {

  private static final int BUFFER_BYTES = 256 << 10;

  private final Store store;
  private final AgentFolder agent;
  private final Instant now;
  private final RandomGenerator random;

  /// @param now the new session's time
  /// @param random for its id; should be hard to guess
  public SessionMove(Store store, AgentFolder agent, Instant now, RandomGenerator random) {
    this.store = store;
    this.agent = agent;
    this.now = now.truncatedTo(ChronoUnit.MILLIS);
    this.random = random;
  }

  /// A session made of another one.
  public record Moved(Path file, String id) {}

  /// Writes the new session where Pi finds it.
  ///
  /// @param original the file of the session that it is made of; becomes its parent. Null if that
  ///   cannot be a file here
  /// @param src that file's hash
  public Moved to(Path cwd, @Nullable Path original, BlobHash src) {
    SessionHeader old = new SessionPlacement(store, agent).header(src);
    String id = uuid7();
    String time = time();
    SessionHeader header =
        new SessionHeader(
            id,
            old.version(),
            cwd.toString(),
            time,
            original == null ? null : original.toString(),
            0,
            0);
    Path target = agent.place(header);
    try {
      Files.createDirectories(target.toAbsolutePath().getParent());
      long behind = Math.min(old.to() + 1L, store.sizeBytes(src));
      try (FileDraft file = WholeFile.at(target).newDraft();
          InputStream in =
              new SequenceInputStream(
                  new ByteArrayInputStream(line(header).getBytes(StandardCharsets.UTF_8)),
                  store.read(src, behind, store.sizeBytes(src) - behind))) {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          file.out().write(buffer, 0, read);
        }
        file.claim();
      }
      return new Moved(target, id);
    } catch (IOException e) {
      throw new StoreException.Io(target.toString(), "cannot be written", e);
    }
  }

  /// The header in Pi's order of fields. A session of the first format named no version.
  private static String line(SessionHeader header) {
    String named = header.parentSession();
    String parent = named == null ? "" : ",\"parentSession\":" + JsonString.of(named);
    String version = header.version() > 1 ? ",\"version\":" + header.version() : "";
    return "{\"type\":\"session\""
        + version
        + ",\"id\":\""
        + header.id()
        + "\",\"timestamp\":\""
        + header.timestamp()
        + "\",\"cwd\":"
        + JsonString.of(header.cwd())
        + parent
        + "}\n";
  }

  /// As JavaScript's `toISOString`: always with milliseconds.
  private String time() {
    String text = now.toString();
    return text.contains(".") ? text : text.replace("Z", ".000Z");
  }

  /// A UUID of version 7 (RFC 9562), as Pi's ids are.
  private String uuid7() {
    long high = now.toEpochMilli() << 16 | 0x7000 | random.nextInt(0x1000);
    long low = random.nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
