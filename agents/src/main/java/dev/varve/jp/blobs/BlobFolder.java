// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import dev.varve.files.ForceTogether;
import dev.varve.jp.files.RealFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The blobs of one storage location.
///
/// Writers need no lock against each other: the same content gives the same bytes under the same
/// name. A blob may be referred to once [#put] has returned. Not for use by several threads at
/// once.
public final class BlobFolder {

  /// The largest content that is taken into memory, unless the caller sets another bound.
  public static final int SIZE_BYTES_MAX = 256 << 20;

  /// The age from which a use renews a blob's time. Sweeps count in days.
  private static final Duration TOUCH_AFTER = Duration.ofMinutes(1);

  private final Path blobs;
  private final InstantSource clock;
  private final int sizeBytesMax;
  private final Set<Sha256> known = new HashSet<>();
  private final List<Path> setAside = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private long opens;

  /// @param blobs the folder itself; need not exist until something is put
  /// @param sizeBytesMax the largest content to take into memory
  public BlobFolder(Path blobs, InstantSource clock, int sizeBytesMax) {
    this.blobs = blobs;
    this.clock = clock;
    this.sizeBytesMax = sizeBytesMax;
  }

  public BlobFolder(Path blobs, InstantSource clock) {
    this(blobs, clock, SIZE_BYTES_MAX);
  }

  public Path folder() {
    return blobs;
  }

  /// The number of blobs opened so far, for callers that promise to open none.
  public long opens() {
    return opens;
  }

  /// Damaged files that [#put] moved out of the way.
  public List<Path> setAside() {
    return List.copyOf(setAside);
  }

  /// The file of a content, whether or not it exists.
  public Path file(Sha256 hash) {
    return BlobName.file(blobs, hash);
  }

  /// The hash that a path's last three names spell; empty if the names spell none.
  public static Optional<Sha256> hash(Path path) {
    int names = path.getNameCount();
    return names < 3
        ? Optional.empty()
        : BlobName.hash(
            path.getName(names - 3).toString(),
            path.getName(names - 2).toString(),
            path.getName(names - 1).toString());
  }

  /// The file of a blob, if it is there. Looks at names only.
  ///
  /// @throws StoreException.Corrupt if a link or something other than a file or folder is on the
  ///   way
  public Optional<StoredBlob> find(Sha256 hash) {
    return new BlobListing(blobs).find(hash);
  }

  /// The content, verified.
  ///
  /// @param sizeBytes what the reference says; never believed, but held against the content
  /// @throws StoreException.NotFound if there is no such blob
  /// @throws StoreException.Corrupt if it is not what its name and the reference say
  /// @throws StoreException.TooLarge if the reference asks for more than may be taken into memory
  public byte[] get(Sha256 hash, long sizeBytes) {
    return get(
        find(hash).orElseThrow(() -> new StoreException.NotFound("blob", hash.hex())), sizeBytes);
  }

  /// The content of a blob's file, verified like [#get(Sha256, long)].
  public byte[] get(StoredBlob stored, long sizeBytes) {
    if (sizeBytes > sizeBytesMax) {
      throw new StoreException.TooLarge("blob " + stored.hash(), sizeBytes, sizeBytesMax);
    }
    opens++;
    return BlobReader.read(stored, sizeBytes, sizeBytesMax);
  }

  /// Hands the content of a blob's file to `sink`, in constant memory. Whether it is what its name
  /// says is known only at the end: [#verify] first, where that matters.
  ///
  /// @throws StoreException as [#get(Sha256, long)] does
  public void stream(StoredBlob stored, ContentSink sink) {
    opens++;
    BlobReader.stream(stored, sink);
  }

  /// Reads a blob to its end without keeping it, and compares its size with what a reference says.
  ///
  /// @throws StoreException as [#get(Sha256, long)] does
  public void verify(StoredBlob stored, long sizeBytes) {
    if (sizeBytes > sizeBytesMax) {
      throw new StoreException.TooLarge("blob " + stored.hash(), sizeBytes, sizeBytesMax);
    }
    long found = verify(stored);
    if (found != sizeBytes) {
      throw new StoreException.Corrupt(
          stored.file().toString(),
          0,
          "content of " + sizeBytes + " bytes, as its reference says",
          found + " bytes");
    }
  }

  /// Reads a blob to its end without keeping it.
  ///
  /// @return the size of its content
  /// @throws StoreException.Corrupt if it is not what its name says
  public long verify(StoredBlob stored) {
    opens++;
    return BlobReader.verify(stored);
  }

  /// The result of putting contents.
  public record Put(int added, int present, int healed) {

    public static final Put NONE = new Put(0, 0, 0);
  }

  /// Stores contents, each unless it is there and sound. They survive a power cut, and may be
  /// referred to, when this returns. A blob that is there is read and compared with its hash, once
  /// for each of these objects: mere presence has deceived others (a full disk leaves empty files).
  /// Its time is renewed, so that a sweep in progress spares it.
  ///
  /// @throws StoreException.Corrupt if a link or the like stands in the way
  public Put put(Map<Sha256, byte[]> contents) {
    Map<Path, Sha256> drafts = new LinkedHashMap<>();
    Set<Path> folders = new TreeSet<>();
    int present = 0;
    int healed = 0;
    try {
      for (Map.Entry<Sha256, byte[]> content : contents.entrySet()) {
        Sha256 hash = content.getKey();
        if (isThere(hash)) {
          present++;
          continue;
        }
        makeFolders(hash, folders);
        Path draft = draft(hash);
        drafts.put(draft, hash);
        RealFiles.writeUnforced(draft, Gzip.compress(content.getValue()));
      }
      ForceTogether.all(drafts.keySet());
      for (Map.Entry<Path, Sha256> draft : drafts.entrySet()) {
        healed += name(draft.getKey(), draft.getValue()) ? 1 : 0;
      }
    } finally {
      drafts.keySet().forEach(RealFiles::delete); // those that got no name
    }
    ForceTogether.all(folders);
    known.addAll(contents.keySet());
    return new Put(drafts.size() - healed, present, healed);
  }

  private boolean isThere(Sha256 hash) {
    if (known.contains(hash)) {
      return true;
    }
    Optional<StoredBlob> stored = find(hash).filter(this::isSound);
    stored.ifPresent(this::touch);
    return stored.isPresent();
  }

  private Path draft(Sha256 hash) {
    String name = "." + hash.hex().substring(4, 16) + "." + DraftNames.name(random.nextLong());
    return BlobName.leaf(blobs, hash).resolve(name);
  }

  /// @return whether something damaged had the name
  private boolean name(Path draft, Sha256 hash) {
    Optional<StoredBlob> bad = find(hash).filter(stored -> !isSound(stored));
    bad.ifPresent(stored -> setAside.add(new BlobTrash(blobs, clock).move(stored)));
    RealFiles.replace(draft, file(hash));
    return bad.isPresent();
  }

  /// Returns whether a file holds what its name says; reads all of it.
  public boolean isSound(StoredBlob stored) {
    try {
      verify(stored);
      return true;
    } catch (StoreException.Corrupt e) {
      return false;
    }
  }

  private void makeFolders(Sha256 hash, Set<Path> unforced) {
    Path first = BlobName.first(blobs, hash);
    Path leaf = BlobName.leaf(blobs, hash);
    if (RealFiles.makeFolder(blobs) && blobs.getParent() != null) {
      unforced.add(blobs.getParent());
    }
    if (RealFiles.makeFolder(first)) {
      unforced.add(blobs);
    }
    if (RealFiles.makeFolder(leaf)) {
      unforced.add(first);
    }
    unforced.add(leaf);
  }

  private void touch(StoredBlob stored) {
    Instant now = clock.instant();
    if (stored.state().modified().toInstant().isBefore(now.minus(TOUCH_AFTER))) {
      try {
        Files.getFileAttributeView(
                stored.file(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setTimes(FileTime.from(now), null, null);
      } catch (IOException e) {
        // Somebody else's file: a sweep asks once more who refers to it before it takes it away.
      }
    }
  }

  /// Puts a content back that a sweep took away after [#put].
  public void demand(Sha256 hash, byte[] content) {
    if (find(hash).isEmpty()) {
      known.remove(hash);
      put(Map.of(hash, content));
    }
  }

  /// Hands out everything below the folder, in the order of names: blobs to `each`, all other files
  /// to `odd`.
  public void each(Consumer<? super StoredBlob> each, Consumer<? super StrayFile> odd) {
    each(() -> false, each, odd);
  }

  /// Like [#each(Consumer, Consumer)], until `stop` says yes.
  public void each(
      BooleanSupplier stop, Consumer<? super StoredBlob> each, Consumer<? super StrayFile> odd) {
    new BlobListing(blobs).each(stop, each, odd);
  }
}
