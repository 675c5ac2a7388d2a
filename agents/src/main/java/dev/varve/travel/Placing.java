// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.AgentFolder;
import dev.varve.pi.NewFile;
import dev.varve.pi.SessionHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// Writes a session of a store where Pi finds it, and never over anything.
public final class Placing {

  private static final int PIECE_BYTES = 256 << 10;

  private final Store store;
  private final AgentFolder agent;

  public Placing(Store store, AgentFolder agent) {
    this.store = store;
    this.agent = agent;
  }

  /// A session that is where it belongs.
  ///
  /// @param header empty if it has none
  /// @param isNew whether it was written just now; if not, the same bytes were there
  public record Placed(Path file, Optional<SessionHeader> header, boolean isNew) {}

  /// Places the session `src` where its header says Pi would have it.
  ///
  /// @throws StoreException.Invalid if its header is none, or cannot be part of a path
  /// @throws StoreException.Conflict if something else is there
  /// @throws StoreException.Io if it cannot be written
  public Placed byHeader(BlobHash src) {
    SessionHeader header = header(src);
    return at(agent.place(header), src);
  }

  /// Writes the session `src` into the file `target`, whatever it is: one that lost its header can
  /// be repaired there.
  public Placed at(Path target, BlobHash src) {
    Optional<SessionHeader> header = find(src);
    try {
      Path folder = target.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        demandSame(target, src);
        return new Placed(target, header, false);
      }
      try (NewFile file = NewFile.at(target);
          InputStream in = store.read(src)) {
        file.fill(in, src);
        file.appear();
        return new Placed(target, header, true);
      }
    } catch (IOException e) {
      throw new StoreException.Io(target.toString(), "cannot be written", e);
    }
  }

  SessionHeader header(BlobHash src) {
    return find(src)
        .orElseThrow(
            () ->
                new StoreException.Invalid(
                    "session " + src, "expected a session of Pi, found no header"));
  }

  private Optional<SessionHeader> find(BlobHash src) {
    long start = Math.min(store.sizeBytes(src), SessionHeader.SCAN_BYTES_MAX);
    try (InputStream in = store.read(src, 0, start)) {
      return SessionHeader.find(in.readAllBytes());
    } catch (IOException e) {
      throw new StoreException.Io("session " + src, "cannot be read", e);
    }
  }

  /// The same bytes are welcome; of others it is told how they differ.
  private void demandSame(Path target, BlobHash src) throws IOException {
    if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      throw taken(target, "something that is no file");
    }
    long here = Files.size(target);
    long wanted = store.sizeBytes(src);
    byte[] ours = new byte[PIECE_BYTES];
    byte[] theirs = new byte[PIECE_BYTES];
    try (InputStream a = Files.newInputStream(target);
        InputStream b = store.read(src)) {
      int read = PIECE_BYTES;
      while (read == PIECE_BYTES) {
        read = a.readNBytes(ours, 0, PIECE_BYTES);
        int other = b.readNBytes(theirs, 0, PIECE_BYTES);
        int common = Math.min(read, other);
        if (!Arrays.equals(ours, 0, common, theirs, 0, common)) {
          throw taken(target, "another file");
        }
        read = common;
      }
    }
    if (here < wanted) {
      throw taken(target, "an earlier version of this session, of " + here + " bytes");
    }
    if (here > wanted) {
      throw taken(target, "a later version of this session, of " + here + " bytes");
    }
  }

  private static StoreException.Conflict taken(Path target, String found) {
    return new StoreException.Conflict(target.toString(), "no file of this name", found);
  }
}
