// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import dev.varve.imports.CountedFile;
import dev.varve.imports.SpotHashes;
import dev.varve.pi.branch.HashedSession.Way;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// Hashes session files; of one that grew since last time, only what is new and, up to three times,
/// the [SpotHashes]: at most [#OVERHEAD_BYTES_MAX] bytes more. A smaller file is always read whole.
///
/// A saved state is used only if the file is still the same to the file system, did not get
/// shorter, was not written without growing, and has the same [SpotHashes]. Otherwise, and whenever
/// a state is damaged, foreign or of a later version, everything is hashed again. Sessions are
/// never written to; a state that cannot be kept is a remark.
public final class SessionHasher {

  /// The most bytes that are read of a session beside those that are new.
  public static final int OVERHEAD_BYTES_MAX = 3 * SpotHashes.BYTES_MAX + 1;

  /// Two writes within this time may leave the same time on a file.
  private static final Duration SETTLES_AFTER = Duration.ofSeconds(2);

  /// A file that is being rewritten may be seen half done.
  private static final int TRIES = 3;

  private final HashStates states;
  private final InstantSource clock;
  private final LongConsumer progress;

  /// @param clock determines how long ago a file was written
  public SessionHasher(HashStates states, InstantSource clock) {
    this(states, clock, _ -> {});
  }

  /// @param progress receives, after each piece, the offset up to which a session is read
  public SessionHasher(HashStates states, InstantSource clock, LongConsumer progress) {
    this.states = states;
    this.clock = clock;
    this.progress = progress;
  }

  /// The hash of `session`, by its state if there is one.
  ///
  /// @throws StoreException.Io if the file cannot be read
  /// @throws StoreException.Conflict if it is rewritten again and again meanwhile
  public HashedSession hash(Path session) {
    return hash(session, true);
  }

  /// The hash of `session`, from all its bytes; the state is written anew.
  public HashedSession hashWhole(Path session) {
    return hash(session, false);
  }

  /// The hash that the state names, if nothing was written to the file since; without reading the
  /// file.
  public Optional<BlobHash> glance(Path session) {
    try {
      Facts facts = Facts.of(session);
      return states
          .of(session.toAbsolutePath())
          .flatMap(state -> load(state, new ArrayList<>()))
          .filter(state -> state.settled() && facts.sameTime(state) && facts.sameFile(state))
          .map(state -> Blake3.restoreState(state.hasher().unsafeArray()).digest());
    } catch (IOException e) {
      return Optional.empty(); // the question was whether it is known
    }
  }

  private HashedSession hash(Path session, boolean trusting) {
    Path file = session.toAbsolutePath();
    List<String> remarks = new ArrayList<>();
    Optional<Path> place = states.of(file);
    Optional<HashState> known =
        trusting ? place.flatMap(state -> load(state, remarks)) : Optional.empty();
    for (int left = TRIES; left > 0; left--) {
      try {
        Optional<HashedSession> hashed = attempt(file, known, place, remarks);
        if (hashed.isPresent()) {
          return hashed.get();
        }
      } catch (IOException e) {
        throw new StoreException.Io(session.toString(), "cannot be read", e);
      }
    }
    throw new StoreException.Conflict(
        session.toString(), "a file that only grows", "one that is rewritten while it is read");
  }

  /// Empty if the file was cut or replaced meanwhile.
  private Optional<HashedSession> attempt(
      Path file, Optional<HashState> known, Optional<Path> place, List<String> remarks)
      throws IOException {
    Facts facts = Facts.of(file);
    try (CountedFile bytes = new CountedFile(file)) {
      Optional<HashState> good =
          known
              .filter(_ -> facts.sizeBytes() > OVERHEAD_BYTES_MAX)
              .filter(state -> usable(state, facts, bytes, remarks));
      Blake3 hasher =
          good.map(s -> Blake3.restoreState(s.hasher().unsafeArray())).orElseGet(Blake3::new);
      long from = hasher.sizeBytes();
      boolean same = good.isPresent() && from == facts.sizeBytes();
      SpotHashes before = same ? good.get().spotHashes() : SpotHashes.of(bytes, facts.sizeBytes());
      bytes.hash(from, facts.sizeBytes(), hasher, progress);
      BlobHash hash = hasher.digest();
      boolean endsLine =
          facts.sizeBytes() > 0 && bytes.read(facts.sizeBytes() - 1, 1)[0] == (byte) '\n';
      Way way = same ? Way.UNCHANGED : good.isPresent() ? Way.GROWN : Way.WHOLE;
      if (!facts.onlyGrewTo(Facts.of(file)) || !same && !before.hold(bytes, facts.sizeBytes())) {
        return Optional.empty();
      }
      if (place.isPresent()) {
        keep(facts.state(before, hasher, clock.instant()), place.get(), good, remarks);
      }
      return Optional.of(
          new HashedSession(
              hash,
              facts.sizeBytes(),
              bytes.bytesRead(),
              way,
              endsLine,
              good.map(SessionHasher::base).orElse(null),
              remarks));
    } catch (EOFException e) {
      return Optional.empty();
    }
  }

  private static HashedSession.Base base(HashState state) {
    BlobHash hash = Blake3.restoreState(state.hasher().unsafeArray()).digest();
    return new HashedSession.Base(hash, state.sizeBytes(), state.hasher());
  }

  private static boolean usable(
      HashState state, Facts facts, CountedFile bytes, List<String> remarks) {
    if (facts.sizeBytes() == state.sizeBytes() && !state.settled()) {
      return false; // a write since may have left both times as they were
    }
    String why = "";
    if (facts.sizeBytes() < state.sizeBytes()) {
      why = "it is shorter than it was";
    } else if (!facts.sameFile(state)) {
      why = "it is another file than it was";
    } else if (facts.sizeBytes() == state.sizeBytes() && !facts.sameTime(state)) {
      why = "it was written to without growing";
    } else if (!guardsHold(state, bytes)) {
      why = "its beginning changed";
    }
    if (!why.isEmpty()) {
      remarks.add("hashed from the beginning: " + why);
    }
    return why.isEmpty();
  }

  private static boolean guardsHold(HashState state, CountedFile bytes) {
    try {
      return state.spotHashes().hold(bytes, state.sizeBytes());
    } catch (IOException e) {
      return false; // a full reading will report the fault
    }
  }

  private static Optional<HashState> load(Path place, List<String> remarks) {
    try (InputStream in = RegularFile.read(place, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of(HashState.read(in.readNBytes(HashState.SIZE_BYTES_MAX + 1)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | StoreException.Invalid | StoreException.FormatTooNew e) {
      remarks.add(place + ": not used: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static void keep(
      HashState state, Path place, Optional<HashState> former, List<String> remarks) {
    byte[] bytes = state.bytes();
    if (former.isPresent() && Arrays.equals(former.get().bytes(), bytes)) {
      return;
    }
    if (Files.exists(place) && !Files.isRegularFile(place)) {
      remarks.add(place + ": not kept: something else has this name");
      return;
    }
    try {
      Path folder = place.getParent();
      if (folder != null) {
        FileAccess.OWNER_ONLY.makeFolders(folder);
      }
      // A checksum says what a power cut left.
      WholeFile.at(place).with(FileAccess.OWNER_ONLY).replaceSoon(bytes);
    } catch (IOException | StoreException e) {
      remarks.add(place + ": not kept: " + e);
    }
  }

  /// The facts that the file system keeps of a file.
  ///
  /// @param changedAtNanos when the file, its times included, was last changed: a program can set
  ///   the time of the last write, but not this one. 0 if the file system does not say
  private record Facts(long sizeBytes, long modifiedAtNanos, long changedAtNanos, long fileKey) {

    static Facts of(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new IOException(file + ": expected a regular file"); // a pipe would be waited for
      }
      Object key = attributes.fileKey();
      byte[] named = String.valueOf(key).getBytes(StandardCharsets.UTF_8);
      return new Facts(
          attributes.size(),
          attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
          changedAtNanos(file),
          key == null ? 0 : Blake3.hash(named).w0());
    }

    private static long changedAtNanos(Path file) throws IOException {
      return file.getFileSystem().supportedFileAttributeViews().contains("unix")
              && Files.getAttribute(file, "unix:ctime") instanceof FileTime changed
          ? changed.to(TimeUnit.NANOSECONDS)
          : 0;
    }

    boolean onlyGrewTo(Facts later) {
      return later.fileKey == fileKey && later.sizeBytes >= sizeBytes;
    }

    boolean sameFile(HashState state) {
      return fileKey == state.fileKey();
    }

    boolean sameTime(HashState state) {
      return sizeBytes == state.sizeBytes()
          && modifiedAtNanos == state.modifiedAtNanos()
          && changedAtNanos == state.changedAtNanos();
    }

    HashState state(SpotHashes spotHashes, Blake3 hasher, Instant now) {
      long nowNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
      boolean settled =
          Math.max(modifiedAtNanos, changedAtNanos) < nowNanos - SETTLES_AFTER.toNanos();
      return new HashState(
          sizeBytes,
          modifiedAtNanos,
          changedAtNanos,
          settled,
          fileKey,
          spotHashes,
          Payload.wrap(hasher.saveState()));
    }
  }
}
