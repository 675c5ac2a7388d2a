// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.BlobRecord;
import dev.varve.blob.PackSurvey;
import dev.varve.blob.PackSurvey.Entry;
import dev.varve.blob.PackTail;
import dev.varve.blob.PackWriter;
import dev.varve.blob.PlacedBlob;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.erasure.ErasureSelection;
import dev.varve.index.FingerprintTable;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Writes a pack, its index and map, and a checkpoint anew, without the records that an erasure
/// takes out. The former files stay as they are, and may grow meanwhile.
final class PackRewrite implements AutoCloseable {

  /// Records are written and forced in steps of about this size: a commit that is forced meanwhile
  /// waits for no more of them.
  private static final int STEP_BYTES = 1 << 20;

  private final Disk disk;
  private final StoreFiles files;
  private final StoreGeometry geometry;
  private final ErasureSelection selection;
  private final AppendFile pack;
  private final AppendFile index;
  private final BlobPack fresh;
  private final PackWriter writer;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private final List<PlacedBlob> placed = new ArrayList<>();
  private int copied;
  private long end;
  private long entries;
  private long rawBytes;
  private long verifiedEnd;
  private long mapped = -1;

  PackRewrite(Disk disk, StoreFiles files, StoreGeometry geometry, ErasureSelection selection) {
    this.disk = disk;
    this.files = files;
    this.geometry = geometry;
    this.selection = selection;
    disk.delete(ErasureSwitch.unswitched(BlobPack.MAP_FILE));
    this.pack = open(BlobPack.FILE);
    try {
      this.index = open(BlobPack.INDEX_FILE);
    } catch (RuntimeException | Error e) {
      pack.close();
      throw e;
    }
    this.fresh = new BlobPack(pack, index, 0, Integer.MAX_VALUE, geometry.chunks());
    this.writer = new PackWriter(fresh);
  }

  /// Copies the records that stay, from where the last copying ended up to a position of the store,
  /// forces them, and reads them back.
  void copy(StorePosition to, ReadProgress progress) {
    PackSurvey survey = survey(to);
    for (; copied < survey.count(); copied++) {
      if (selection.stays(copied)) {
        Entry entry = survey.entry(copied);
        copy(survey, entry);
        if (waiting.size() >= STEP_BYTES) {
          flush();
          writer.forcePack();
          progress.reached(entry.offset(), to.ends().packEnd());
        }
      }
    }
    flush();
    if (entries != mapped) {
      writer.force();
      verify();
      updateMap();
      mapped = entries;
    }
  }

  private PackSurvey survey(StorePosition position) {
    return new PackSurvey(files.blobs, position.ends().blobEntries(), position.ends().packEnd());
  }

  /// Completes the new files of a store that nobody writes to.
  ///
  /// @param former the checkpoint with which the journal was closed
  /// @param erasures how often something will have been erased
  void finish(Checkpoint former, StorePosition last, ReadProgress progress, long erasures) {
    copy(last, progress);
    pack.truncateToEnd();
    index.truncateToEnd();
    writer.force();
    List<byte[]> tails = new ArrayList<>(files.tails(last));
    tails.set(StoreFiles.GROWING.indexOf(BlobPack.FILE), tail(pack));
    tails.set(StoreFiles.GROWING.indexOf(BlobPack.INDEX_FILE), tail(index));
    writeCheckpoint(
        new Checkpoint(
            former.seq(),
            Checkpoint.State.CLOSED,
            last.withPack(end, entries, rawBytes),
            tails,
            erasures));
  }

  /// Makes `blobs.map` of the new pack, or brings it up to date. The file must not be left to the
  /// next opening: a store whose lookup is absent has lost the lookup.
  private void updateMap() {
    String name = ErasureSwitch.unswitched(BlobPack.MAP_FILE);
    try (FingerprintTable map =
        FingerprintTable.open(
            disk,
            name,
            StoreFiles.KIND_BLOBS,
            files.root().storeId(),
            fresh.source(),
            Level.DEBUG)) {
      map.checkpoint(entries);
      if (map.diskBytes() == 0) {
        throw new StoreException.Full(
            name, new IllegalStateException("no room for a table of " + entries + " blobs"));
      }
    }
  }

  /// Size of the new pack.
  long packBytes() {
    return end;
  }

  private AppendFile open(String name) {
    String unswitched = ErasureSwitch.unswitched(name);
    disk.delete(unswitched);
    return AppendFile.open(disk, unswitched, geometry.growth());
  }

  private void copy(PackSurvey survey, Entry entry) {
    byte[] record = survey.recordBytes(entry).unsafeArray();
    BlobRecord header =
        BlobRecord.read(MemorySegment.ofArray(record))
            .filter(found -> found.hash().equals(entry.hash()))
            .orElseThrow(
                () ->
                    new StoreException.Corrupt(
                        BlobPack.FILE, entry.offset(), "blob " + entry.hash(), "other bytes"));
    placed.add(new PlacedBlob(end + waiting.size(), header));
    waiting.writeBytes(record);
    rawBytes += header.keptBytes();
  }

  private void flush() {
    writer.write(end, ByteBuffer.wrap(waiting.toByteArray()), entries, placed);
    end += waiting.size();
    entries += placed.size();
    writer.publish(end, entries, placed);
    waiting.reset();
    placed.clear();
  }

  /// Reads back what is to take the place of the only copy.
  private void verify() {
    long whole = PackTail.wholeUpTo(pack, verifiedEnd, end);
    if (whole != end || !fresh.openIndex(entries, Level.WARNING)) {
      throw new StoreException.Corrupt(pack.name(), whole, "what was written", "other bytes");
    }
    verifiedEnd = end;
  }

  private static byte[] tail(AppendFile file) {
    int length = (int) (file.endBytes() % Checkpoint.BLOCK_BYTES);
    byte[] tail = new byte[length];
    file.at(file.endBytes() - length, length).asByteBuffer().get(tail);
    return tail;
  }

  private void writeCheckpoint(Checkpoint checkpoint) {
    String name = ErasureSwitch.unswitched(Checkpoint.FILE);
    disk.delete(name);
    try (var file = disk.open(name)) {
      file.write(0, ByteBuffer.wrap(checkpoint.bytes(files.shortId())));
      file.force();
    }
  }

  /// Closes the new files, which keep their names.
  @Override
  public void close() {
    try {
      pack.close();
    } finally {
      index.close();
    }
  }
}
