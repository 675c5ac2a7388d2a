// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreOptions;
import dev.varve.blob.BlobPack;
import dev.varve.blob.ErasedTable;
import dev.varve.blob.FormerPacks;
import dev.varve.blob.PackWriter;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.disk.FileGrowth;
import dev.varve.index.EntrySource;
import dev.varve.index.FingerprintTable;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnFinder;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// All files of an open store except its root, journal and checkpoint, and the parts that read and
/// write them.
final class StoreFiles {

  /// The files that grow, in the order of a checkpoint's tails. `blobs.idx` is derived; the others
  /// are primary.
  static final List<String> GROWING =
      List.of(
          BlobPack.FILE,
          TurnLog.LOG,
          TurnLog.META,
          HeadRebuild.LOG,
          TypeTable.FILE,
          OverlayLog.FILE,
          BlobPack.INDEX_FILE);

  /// The place of `blobs.idx` among the growing files.
  private static final int INDEX = 6;

  /// Files that can be deleted and made again.
  static final List<String> DERIVED =
      List.of(
          BlobPack.INDEX_FILE,
          BlobPack.MAP_FILE,
          TurnLog.INDEX,
          TurnFinder.CHILDREN_MAP,
          TurnFinder.KEYS_MAP,
          OverlayLog.MAP,
          HeadTable.FILE);

  /// The kinds of lookups; the header of a table has its kind.
  static final int KIND_BLOBS = 1;

  private static final int KIND_CHILDREN = 2;
  private static final int KIND_KEYS = 3;
  private static final int KIND_OVERLAYS = 4;

  private final Disk disk;
  private final long shortId;
  private final UUID storeId;
  private final List<AppendFile> growing = new CopyOnWriteArrayList<>();
  private final AppendFile headSlots;
  private final List<FingerprintTable> tables = new CopyOnWriteArrayList<>();

  private final StoreOptions options;
  private final StoreGeometry geometry;
  private final FormerPacks former = new FormerPacks();
  private volatile StoreRoot root;

  /// Another one after each erasure. Who asks several questions asks the same one.
  volatile BlobPack blobs;

  volatile PackWriter packWriter;
  final TurnLog turns;
  final TypeTable types;
  final OverlayLog overlays;
  final HeadTable heads;
  final HeadRebuild headRebuild;
  private @Nullable TurnFinder finder;

  /// Opens the files with their ends at their sizes. The parts are not ready before [#openParts].
  StoreFiles(Disk disk, StoreRoot root, StoreOptions options, StoreGeometry geometry) {
    FileGrowth growth = geometry.growth();
    this.disk = disk;
    this.shortId = root.shortId();
    this.storeId = root.storeId();
    this.root = root;
    this.options = options;
    this.geometry = geometry;
    for (String name : GROWING) {
      growing.add(AppendFile.open(disk, name, growth));
    }
    headSlots = AppendFile.open(disk, HeadTable.FILE, growth);
    blobs = openBlobs(root);
    packWriter = new PackWriter(blobs);
    turns = new TurnLog(disk, growing.get(1), growing.get(2), shortId);
    types = new TypeTable(growing.get(4));
    overlays = new OverlayLog(growing.get(5), shortId);
    heads = new HeadTable(headSlots, shortId);
    headRebuild = new HeadRebuild(growing.get(3), turns, shortId);
  }

  private BlobPack openBlobs(StoreRoot of) {
    BlobPack opened =
        new BlobPack(
            growing.get(0),
            growing.get(INDEX),
            options.blobCacheBytes(),
            options.limits().payloadBytes(),
            geometry.chunks());
    opened.remember(ErasedTable.open(disk, of.shortId(), geometry.growth(), of.erasures() > 0));
    return opened;
  }

  /// Keeps the lookup of the blobs from taking the place of the file that an erasure is about to
  /// put there. Readers of the former pack go on with the lookup.
  void retireBlobMap() {
    tables.get(0).retire();
  }

  /// Opens the files that an erasure put in the places of the pack and of what belongs to it.
  /// Readers who began with the former ones end with them. Nobody writes meanwhile.
  ///
  /// @param position where the new files end
  void reopenBlobs(StoreRoot switched, StorePosition position) {
    BlobPack before = blobs;
    former.add(before, List.of(growing.get(0), growing.get(INDEX), tables.get(0), before.erased()));
    growing.set(0, AppendFile.open(disk, BlobPack.FILE, geometry.growth()));
    growing.set(INDEX, AppendFile.open(disk, BlobPack.INDEX_FILE, geometry.growth()));
    BlobPack opened = openBlobs(switched);
    try {
      opened.openIndex(position.ends().blobEntries(), Level.WARNING);
      FingerprintTable map =
          FingerprintTable.open(
              disk,
              BlobPack.MAP_FILE,
              KIND_BLOBS,
              switched.storeId(),
              opened.source(),
              Level.WARNING);
      tables.set(0, map);
      opened.findThrough(map);
    } catch (RuntimeException | Error e) {
      opened.erased().close();
      throw e;
    }
    root = switched;
    packWriter = new PackWriter(opened);
    blobs = opened;
  }

  /// Records in the root that the store has a table of holds, if the root does not say so yet.
  void recordHolds() {
    if (!root.holdsPlaced()) {
      StoreRoot recorded = root.afterHold();
      recorded.write(disk);
      root = recorded;
    }
  }

  /// The root of the store.
  StoreRoot root() {
    return root;
  }

  /// The store's id in 64 bits.
  long shortId() {
    return shortId;
  }

  AppendFile headLog() {
    return growing.get(3);
  }

  AppendFile growing(String name) {
    return growing.get(GROWING.indexOf(name));
  }

  /// The files of records that cannot be made from others.
  List<AppendFile> primary() {
    return growing.stream().filter(file -> !DERIVED.contains(file.name())).toList();
  }

  AppendFile headSlots() {
    return headSlots;
  }

  /// The blobs that `blobs.map` covers, and which therefore were in the store.
  long coveredBlobs() {
    return FingerprintTable.covered(disk, BlobPack.MAP_FILE, KIND_BLOBS, storeId);
  }

  /// The overlays that `overlays.map` covers, and which therefore were in the store.
  long coveredOverlays() {
    return FingerprintTable.covered(disk, OverlayLog.MAP, KIND_OVERLAYS, storeId);
  }

  TurnFinder finder() {
    TurnFinder open = finder;
    if (open == null) {
      throw new AssertionError("parts are not open");
    }
    return open;
  }

  /// Opens the derived files once all ends are right, and rebuilds files that do not match. The
  /// files that grow are forced.
  ///
  /// @param checkpoint the least checkpoint of `heads.tbl`; null if it is not known, then files
  ///   that depend on it are made anew
  /// @param remade level of the entries in the log for files that are made anew
  /// @return whether all files that a checkpoint covers matched
  boolean openParts(StorePosition position, @Nullable Checkpoint checkpoint, Level remade) {
    StorePosition.Ends ends = position.ends();
    types.open();
    boolean held = turns.open(ends.turns(), remade);
    // What came after the checkpoint may yet be lost: the next recovery writes into its last
    // blocks.
    StorePosition.Ends sure = checkpoint == null ? ends : checkpoint.position().ends();
    turns.noteForced(sure.turns());
    overlays.publish(ends.overlays());
    overlays.noteForced(sure.overlays());
    held &= blobs.openIndex(checkpoint == null ? -1 : ends.blobEntries(), remade);
    FingerprintTable blobMap = table(BlobPack.MAP_FILE, KIND_BLOBS, blobs.source(), remade);
    blobs.findThrough(blobMap);
    FingerprintTable overlayMap = table(OverlayLog.MAP, KIND_OVERLAYS, overlays, remade);
    overlays.findThrough(overlayMap);
    FingerprintTable children =
        table(TurnFinder.CHILDREN_MAP, KIND_CHILDREN, TurnFinder.children(turns), remade);
    FingerprintTable keys = table(TurnFinder.KEYS_MAP, KIND_KEYS, TurnFinder.keys(turns), remade);
    finder = new TurnFinder(turns, children, keys);
    heads.repairThrough(headRebuild);
    boolean headsHeld =
        ends.headLogRecords() == 0 && headSlots.endBytes() == 0
            || checkpoint != null
                && heads.holds(
                    checkpoint.seq(),
                    checkpoint.position().ends().headSlots(),
                    ends.turns(),
                    ends.headLogRecords());
    if (!headsHeld) {
      System.getLogger("dev.varve.local")
          .log(
              remade,
              "{0}: rebuilt from {1} and {2}",
              HeadTable.FILE,
              HeadRebuild.LOG,
              TurnLog.META);
      heads.clear();
      headRebuild.all(heads::put);
    }
    return held && headsHeld;
  }

  private FingerprintTable table(String name, int kind, EntrySource source, Level remade) {
    FingerprintTable table = FingerprintTable.open(disk, name, kind, storeId, source, remade);
    tables.add(table);
    return table;
  }

  /// The bytes that a checkpoint at `position` keeps of each growing file's last block.
  List<byte[]> tails(StorePosition position) {
    long[] ends = ends(position);
    List<byte[]> tails = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      int length = (int) (ends[i] % Checkpoint.BLOCK_BYTES);
      byte[] tail = new byte[length];
      MemorySegment.copy(
          growing.get(i).at(ends[i] - length, length), 0, MemorySegment.ofArray(tail), 0, length);
      tails.add(tail);
    }
    return tails;
  }

  /// Where each growing file ends at a position.
  static long[] ends(StorePosition position) {
    StorePosition.Ends ends = position.ends();
    return new long[] {
      ends.packEnd(),
      ends.turns() * TurnRecord.SIZE_BYTES,
      ends.turns() * TurnMeta.SIZE_BYTES,
      ends.headLogRecords() * HeadRecord.SIZE_BYTES,
      ends.typesEnd(),
      ends.overlays() * OverlayRecord.SIZE_BYTES,
      ends.blobEntries() * BlobPack.INDEX_ENTRY_BYTES
    };
  }

  /// Forces everything up to what is written, and notes in the tables what they cover at
  /// `position`.
  void force(StorePosition position, long seq) {
    StorePosition.Ends ends = position.ends();
    forceGrowing();
    overlays.noteForced(ends.overlays());
    turns.noteForced(ends.turns());
    turns.saveIndex();
    heads.save(seq, ends.turns(), ends.headLogRecords());
    tables.get(0).checkpoint(ends.blobEntries());
    tables.get(1).checkpoint(ends.overlays());
    tables.get(2).checkpoint(ends.turns());
    tables.get(3).checkpoint(ends.turns());
  }

  /// Forces what was written to the files that grow.
  void forceGrowing() {
    for (AppendFile file : growing) {
      file.force();
    }
  }

  void truncateToEnds() {
    for (AppendFile file : growing) {
      file.truncateToEnd();
    }
  }

  /// @param trim whether to cut the files at their ends, and to delete one that has to be made
  ///   again
  void close(boolean trim) {
    List<Runnable> closings = new ArrayList<>();
    tables.forEach(table -> closings.add(table::close));
    growing.forEach(file -> closings.add(() -> file.close(trim)));
    closings.add(() -> headSlots.close(trim));
    closings.add(blobs.erased()::close);
    closings.add(former::close);
    if (trim && blobs.isIndexSpoilt()) {
      closings.add(() -> disk.delete(BlobPack.INDEX_FILE));
    }
    closeAll(closings.iterator());
  }

  /// Closes the rest even if one fails.
  private static void closeAll(Iterator<Runnable> closings) {
    if (closings.hasNext()) {
      try {
        closings.next().run();
      } finally {
        closeAll(closings);
      }
    }
  }
}
