// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// A [BranchBundle] that somebody wrote, perhaps with ill will: no name in it becomes a path, and
/// it is read as a stream.
public final class BundleFile implements BlobSource {

  /// The most bytes of an archive's table of contents, which has to be held: some 500,000 blobs.
  private static final long CONTENTS_BYTES_MAX = 64 << 20;

  /// Each becomes a session of Pi when all are asked for.
  private static final int BRANCHES_MAX = 10_000;

  private static final int END_BYTES = 22;
  private static final int END_MAGIC = 0x0605_4b50;
  private static final int INDEX_BYTES_MAX = 8 << 20;
  private static final Pattern BLOB = Pattern.compile("v1/blobs/([0-9a-f]{64})");
  private static final Pattern INDEX =
      Pattern.compile(
          "\\s*\\{\"type\":\"varve\\.pi\\.bundle\",\"version\":([0-9]{1,9}),"
              + "\"branches\":\\[((?:\"[0-9a-f]{64}\",?)*+)\\]\\}\\s*");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final Path file;
  private final ZipFile zip;
  private final List<BlobHash> branches;

  private BundleFile(Path file, ZipFile zip) throws IOException {
    this.file = file;
    this.zip = zip;
    this.branches = readIndex();
  }

  /// @throws StoreException.Corrupt if the file is no bundle, or its list of contents is damaged
  /// @throws StoreException.FormatTooNew if a later version wrote it
  /// @throws StoreException.Io if it cannot be read
  public static BundleFile open(Path file) {
    try {
      demandSmallContents(file);
      ZipFile zip = new ZipFile(file.toFile(), ZipFile.OPEN_READ, StandardCharsets.UTF_8);
      try {
        return new BundleFile(file, zip);
      } catch (IOException | RuntimeException e) {
        zip.close();
        throw e;
      }
    } catch (ZipException | IllegalArgumentException e) {
      throw new StoreException.Corrupt(
          file.toString(), 0, "a bundle of branches", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// Java holds the whole table of contents, so its size is looked at first. A bundle has no
  /// comment behind it.
  private static void demandSmallContents(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ZipException("no regular file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer end = ByteBuffer.allocate(END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      long from = channel.size() - END_BYTES;
      while (from >= 0 && end.hasRemaining() && channel.read(end, from + end.position()) >= 0) {
        // until it is full
      }
      if (from < 0 || end.getInt(0) != END_MAGIC) {
        throw new ZipException("no end of a zip archive");
      }
      if (Integer.toUnsignedLong(end.getInt(12)) > CONTENTS_BYTES_MAX) {
        throw new ZipException("a table of contents of more than 64 MiB");
      }
    }
  }

  private List<BlobHash> readIndex() throws IOException {
    ZipEntry entry = zip.getEntry(BranchBundle.INDEX);
    if (entry == null) {
      throw new ZipException("no " + BranchBundle.INDEX);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      String text = new String(in.readNBytes(INDEX_BYTES_MAX + 1), StandardCharsets.UTF_8);
      Matcher index = INDEX.matcher(text);
      if (!index.matches()) {
        throw new ZipException("another " + BranchBundle.INDEX);
      }
      int version = Integer.parseInt(index.group(1));
      if (version > 1) {
        throw new StoreException.FormatTooNew(file.toString(), version, 1);
      }
      List<BlobHash> found = new ArrayList<>();
      HASH.matcher(index.group(2))
          .results()
          .forEach(hash -> found.add(BlobHash.parse(hash.group())));
      if (found.size() > BRANCHES_MAX) {
        throw new StoreException.TooLarge(file + ": branches", found.size(), BRANCHES_MAX);
      }
      return List.copyOf(found);
    }
  }

  /// The branches that the bundle was made for.
  public List<BlobHash> branches() {
    return branches;
  }

  /// An entry of the archive.
  ///
  /// @param hash empty if it is no blob
  record Entry(String name, Optional<BlobHash> hash) {}

  /// All entries but the index, as often as they are there.
  List<Entry> entries() {
    return zip.stream()
        .map(ZipEntry::getName)
        .filter(name -> !name.equals(BranchBundle.INDEX))
        .map(name -> new Entry(name, hash(name)))
        .toList();
  }

  private static Optional<BlobHash> hash(String name) {
    Matcher blob = BLOB.matcher(name);
    return blob.matches() ? Optional.of(BlobHash.parse(blob.group(1))) : Optional.empty();
  }

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) throws IOException {
    ZipEntry entry = zip.getEntry(FolderBlobs.PATH + hash);
    // From its beginning: a compressed entry cannot be entered midway.
    return entry == null ? Optional.empty() : Optional.of(new Rest(zip.getInputStream(entry), 0));
  }

  @Override
  public String describe() {
    return file.toString();
  }

  @Override
  public void close() {
    try {
      zip.close();
    } catch (IOException e) {
      // it was only read
    }
  }
}
