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
import java.util.UUID;

/// Writes a pack, its index and map, and a checkpoint anew, without the records that an erasure
/// takes out. The former files stay as they are.
final class PackRewrite {

  /// Records are written in steps of about this size.
  private static final int STEP_BYTES = 1 << 20;

  private final Disk disk;
  private final StoreFiles files;
  private final StoreGeometry geometry;
  private final StorePosition former;
  private final ErasureSelection selection;
  private final ReadProgress progress;
  private final PackSurvey survey;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private final List<PlacedBlob> placed = new ArrayList<>();
  private long end;
  private long entries;
  private long rawBytes;

  /// @param former the position of the store of which the selection was made
  PackRewrite(
      Disk disk,
      StoreFiles files,
      StoreGeometry geometry,
      StorePosition former,
      ErasureSelection selection,
      ReadProgress progress) {
    this.disk = disk;
    this.files = files;
    this.geometry = geometry;
    this.former = former;
    this.selection = selection;
    this.progress = progress;
    this.survey = new PackSurvey(files.blobs);
  }

  /// Writes and forces the new files.
  ///
  /// @param closed the checkpoint with which the store was closed
  /// @param erasures how often something will have been erased
  void write(Checkpoint closed, StoreRoot root, long erasures) {
    try (AppendFile pack = open(BlobPack.FILE);
        AppendFile index = open(BlobPack.INDEX_FILE)) {
      BlobPack fresh = new BlobPack(pack, index, 0, Integer.MAX_VALUE, geometry.chunks());
      PackWriter writer = new PackWriter(fresh);
      for (int ordinal = 0; ordinal < survey.count(); ordinal++) {
        if (selection.stays(ordinal)) {
          copy(survey.entry(ordinal), writer);
        }
      }
      flush(writer);
      pack.truncateToEnd();
      index.truncateToEnd();
      writer.force();
      verify(pack, fresh);
      writeMap(fresh, root.storeId());
      StorePosition position = former.withPack(end, entries, rawBytes);
      List<byte[]> tails = new ArrayList<>(files.tails(former));
      tails.set(StoreFiles.GROWING.indexOf(BlobPack.FILE), tail(pack));
      tails.set(StoreFiles.GROWING.indexOf(BlobPack.INDEX_FILE), tail(index));
      writeCheckpoint(
          new Checkpoint(closed.seq(), Checkpoint.State.CLOSED, position, tails, erasures),
          root.shortId());
    }
  }

  /// Makes `blobs.map` of the new pack. The file must not be left to the next opening: a store
  /// whose lookup is absent has lost the lookup.
  private void writeMap(BlobPack fresh, UUID storeId) {
    String name = ErasureSwitch.unswitched(BlobPack.MAP_FILE);
    disk.delete(name);
    try (FingerprintTable map =
        FingerprintTable.open(
            disk, name, StoreFiles.KIND_BLOBS, storeId, fresh.source(), Level.DEBUG)) {
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

  private void copy(Entry entry, PackWriter writer) {
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
    if (waiting.size() >= STEP_BYTES) {
      flush(writer);
      progress.reached(entry.offset(), former.ends().packEnd());
    }
  }

  private void flush(PackWriter writer) {
    writer.write(end, ByteBuffer.wrap(waiting.toByteArray()), entries, placed);
    end += waiting.size();
    entries += placed.size();
    writer.publish(end, entries, placed);
    waiting.reset();
    placed.clear();
  }

  /// Reads back what is to take the place of the only copy.
  private void verify(AppendFile pack, BlobPack fresh) {
    long whole = PackTail.wholeUpTo(pack, 0, end);
    if (whole != end || !fresh.openIndex(entries, Level.WARNING)) {
      throw new StoreException.Corrupt(pack.name(), whole, "what was written", "other bytes");
    }
  }

  private static byte[] tail(AppendFile file) {
    int length = (int) (file.endBytes() % Checkpoint.BLOCK_BYTES);
    byte[] tail = new byte[length];
    file.at(file.endBytes() - length, length).asByteBuffer().get(tail);
    return tail;
  }

  private void writeCheckpoint(Checkpoint checkpoint, long storeId) {
    String name = ErasureSwitch.unswitched(Checkpoint.FILE);
    disk.delete(name);
    try (var file = disk.open(name)) {
      file.write(0, ByteBuffer.wrap(checkpoint.bytes(storeId)));
      file.force();
    }
  }
}
