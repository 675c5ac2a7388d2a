// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import dev.varve.pi.branch.AgentFolder;
import dev.varve.pi.session.SessionHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Optional;

/// Writes a session of a store where Pi finds it, and never over anything. An earlier version of
/// the session may be made the later one by appending.
public final class SessionPlacement {

  private static final int PIECE_BYTES = 256 << 10;

  private final Store store;
  private final AgentFolder agent;
  private final boolean updating;

  public SessionPlacement(Store store, AgentFolder agent) {
    this(store, agent, false);
  }

  /// @param updating whether a file that the session begins with gets the rest appended. Its agent
  ///   must not have it open: an agent that holds a session in memory does not see what others add
  public SessionPlacement(Store store, AgentFolder agent, boolean updating) {
    this.store = store;
    this.agent = agent;
    this.updating = updating;
  }

  /// A session that is where it belongs.
  ///
  /// @param header empty if it has none
  /// @param isNew whether it, or the rest of it, was written just now; if not, the same bytes were
  ///   there
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
        return new Placed(target, header, isCompleted(target, src));
      }
      try (FileDraft file = WholeFile.at(target).newDraft();
          InputStream in = store.read(src)) {
        VerifiedCopy.fill(file, in, src, target);
        file.claim();
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

  /// Accepts a file with the same bytes, and completes an earlier version if that is wanted.
  ///
  /// @return whether the rest was appended
  /// @throws StoreException.Conflict that says how the file differs
  private boolean isCompleted(Path target, BlobHash src) throws IOException {
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
    if (here < wanted && updating) {
      append(target, src, here);
      return true;
    }
    if (here < wanted) {
      throw taken(target, "an earlier version of this session, of " + here + " bytes");
    }
    if (here > wanted) {
      throw taken(target, "a later version of this session, of " + here + " bytes");
    }
    return false;
  }

  /// Appends what lies behind the first `here` bytes of the session. The file is only added to, so
  /// that a writer who comes in between loses nothing; that it came is found by the hash of all.
  private void append(Path target, BlobHash src, long here) throws IOException {
    FileTime before = Files.getLastModifiedTime(target);
    try (InputStream rest = store.read(src, here, store.sizeBytes(src) - here);
        FileChannel file =
            FileChannel.open(target, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      byte[] piece = rest.readNBytes(PIECE_BYTES);
      if (file.size() != here || !Files.getLastModifiedTime(target).equals(before)) {
        throw taken(target, "a session that is being written to");
      }
      for (; piece.length > 0; piece = rest.readNBytes(PIECE_BYTES)) {
        ByteBuffer bytes = ByteBuffer.wrap(piece);
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }
      file.force(true);
    }
    try (InputStream in = RegularFile.read(target, LinkOption.NOFOLLOW_LINKS)) {
      if (!VerifiedCopy.hash(in).equals(src)) {
        throw taken(target, "a session to which somebody else wrote meanwhile; nothing is lost");
      }
    }
  }

  private static StoreException.Conflict taken(Path target, String found) {
    return new StoreException.Conflict(target.toString(), "no file of this name", found);
  }
}
