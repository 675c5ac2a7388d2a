// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A disk in memory whose power a test can cut, at any operation, and which a test can break or
/// fill.
///
/// [#cutPower] gives the disk that is found when the power is back. What was forced is there. Of
/// what was not, each sector of 512 bytes may be old, new, zeros, garbage or torn, a file may have
/// its old size, its new one or one in between, and each file created, replaced or deleted may not
/// have been. The seed decides.
///
/// What it assumes of a real disk: bytes that nobody wrote since the last force are not harmed,
/// even in a sector of which other bytes were written; [#spoilsWholeSectors] takes that away. What
/// it does not show: forced bytes that rot.
///
/// Where it is stricter than a real one: a created file is not sure to be there once it was forced,
/// only after [#forceNames]; [#openFiles] counts the files that nobody closed.
public final class SimulatedDisk implements Disk {

  /// How a write or a force fails.
  public enum Fault {
    /// No room.
    FULL,
    /// An error of the device.
    IO
  }

  private static final int FILE_CAPACITY_BYTES = 1 << 20;
  private static final long NEVER = Long.MAX_VALUE;

  private final long seed;
  private final int fileCapacityBytes;
  private final SplittableRandom random;

  // All that follows is guarded by this.
  private final SimulatedNames names;
  private final Set<SimulatedFile> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, String> locks = new HashMap<>();
  private @Nullable SimulatedDisk afterTheCut;
  private long operations;
  private long cutAt = NEVER;
  private long writesUntilFault = NEVER;
  private Fault writeFault = Fault.IO;
  private long forcesUntilFault = NEVER;
  private long capacityBytes = NEVER;
  private long forces;
  private long nameForces;
  private long writes;
  private long bytesWritten;
  private long bytesRead;
  private int spoiltBytes;

  /// An empty disk for files of up to 1 MiB.
  public SimulatedDisk(long seed) {
    this(seed, FILE_CAPACITY_BYTES);
  }

  /// An empty disk.
  ///
  /// @param fileCapacityBytes what a file may grow to. Each file that is mapped takes as much
  ///   memory, so less is faster
  public SimulatedDisk(long seed, int fileCapacityBytes) {
    this(seed, fileCapacityBytes, new SimulatedNames());
  }

  private SimulatedDisk(long seed, int fileCapacityBytes, SimulatedNames names) {
    this.seed = seed;
    this.fileCapacityBytes = fileCapacityBytes;
    this.random = new SplittableRandom(seed);
    this.names = names;
  }

  // ---- what a test does to it

  /// Cuts the power, if [#cutPowerAfter] has not, and returns the disk as it is when the power is
  /// back. From now on every call on this one, but for closing, throws [PowerCut].
  public synchronized SimulatedDisk cutPower() {
    if (afterTheCut == null) {
      long nextSeed = random.nextLong();
      afterTheCut = next(nextSeed, names.survivor(new SplittableRandom(~nextSeed), spoiltBytes));
    }
    return afterTheCut;
  }

  /// Lets the power fail at the `operation`-th operation from now, 1 being the next. That one is
  /// done not at all, in part, or in full, and throws [PowerCut].
  public synchronized void cutPowerAfter(long operation) {
    if (operation < 1) {
      throw new IllegalArgumentException("operation " + operation);
    }
    cutAt = operations + operation;
  }

  /// Kills the process and returns the disk as its next one finds it: the system has all that was
  /// written, forced or not, and a power cut may still come. This one is as after a power cut.
  public synchronized SimulatedDisk kill() {
    checkPower();
    afterTheCut = next(random.nextLong(), names.copy());
    return afterTheCut;
  }

  /// Lets all writes fail once `writes` more have succeeded. The first that fails writes a part.
  /// Lasts until [#repair].
  public synchronized void failAfterWrites(long writes, Fault fault) {
    writesUntilFault = writes;
    writeFault = fault;
  }

  /// Lets one force fail, of a file or of the names, once `forces` more have succeeded. What it was
  /// to force may be lost, whatever later forces say.
  public synchronized void failForce(long forces) {
    forcesUntilFault = forces;
  }

  /// Lets a power cut harm the whole of each sector that it may harm, bytes that were forced before
  /// included, as a disk does that writes sectors anew and breaks off.
  ///
  /// @param sectorBytes 512 or 4096; 0 for what [WriteBack] says
  public synchronized void spoilsWholeSectors(int sectorBytes) {
    if (sectorBytes % SimulatedContent.SECTOR_BYTES != 0) {
      throw new IllegalArgumentException("sectors of " + sectorBytes + " bytes");
    }
    spoiltBytes = sectorBytes;
  }

  /// Ends what [#failAfterWrites] and [#failForce] began.
  public synchronized void repair() {
    writesUntilFault = NEVER;
    forcesUntilFault = NEVER;
  }

  /// Sets how many bytes all files together may take, counted in sectors that were written. May be
  /// less than they take.
  public synchronized void capacityBytes(long limit) {
    capacityBytes = limit;
  }

  // ---- what a test asks it

  /// How many operations there were that change the disk: files created, replaced, deleted,
  /// resized, writes and forces. What [#cutPowerAfter] counts.
  public synchronized long operations() {
    return operations;
  }

  /// How many files are open.
  public synchronized int openFiles() {
    return open.size();
  }

  /// How many times a file was forced.
  public synchronized long forces() {
    return forces;
  }

  /// How many times the names were forced.
  public synchronized long nameForces() {
    return nameForces;
  }

  public synchronized long writes() {
    return writes;
  }

  /// Bytes written by [DiskFile#write]; nobody sees those that are written through memory.
  public synchronized long bytesWritten() {
    return bytesWritten;
  }

  /// Bytes read by [DiskFile#read]; nobody sees those that are read through memory.
  public synchronized long bytesRead() {
    return bytesRead;
  }

  // ---- the disk

  @Override
  public synchronized DiskFile open(String name) {
    checkPower();
    if (locks.containsKey(PlainName.check(name))) {
      throw new IllegalArgumentException("locked by this process: " + name);
    }
    SimulatedFile file = new SimulatedFile(this, name, contentOf(name));
    open.add(file);
    return file;
  }

  @Override
  public synchronized boolean exists(String name) {
    checkPower();
    return names.now().containsKey(PlainName.check(name));
  }

  @Override
  public synchronized List<String> names() {
    checkPower();
    return List.copyOf(names.now().keySet());
  }

  @Override
  public synchronized Map<String, Long> sizesBytes() {
    checkPower();
    Map<String, Long> sizes = new HashMap<>();
    names.now().forEach((name, content) -> sizes.put(name, (long) content.sizeBytes()));
    return sizes;
  }

  @Override
  public synchronized void delete(String name) {
    checkPower();
    if (names.now().containsKey(PlainName.check(name))) {
      operation(() -> names.delete(name));
    }
  }

  @Override
  public synchronized void replace(String from, String to) {
    checkPower();
    PlainName.check(to);
    if (!names.now().containsKey(PlainName.check(from))) {
      throw new StoreException.Io(to, "replace by " + from, new IOException("no such file"));
    }
    if (!from.equals(to)) {
      operation(() -> names.replace(from, to));
    }
  }

  @Override
  public synchronized DiskFile createDraft(String target, FileAccess access) {
    return open(DraftName.next());
  }

  @Override
  public synchronized void claim(String from, String to) {
    checkPower();
    if (names.now().containsKey(PlainName.check(to))) {
      throw new StoreException.Conflict(to, "no file of this name", "a file");
    }
    if (!names.now().containsKey(PlainName.check(from))) {
      throw new StoreException.Io(to, "claim for " + from, new IOException("no such file"));
    }
    operation(() -> names.claim(from, to));
  }

  @Override
  public synchronized int deleteAbandonedDrafts() {
    checkPower();
    List<String> abandoned =
        names.now().entrySet().stream()
            .filter(each -> DraftName.matches(each.getKey()))
            .filter(each -> open.stream().noneMatch(file -> file.content() == each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    abandoned.forEach(this::delete);
    return abandoned.size();
  }

  @Override
  public synchronized void forceNames() {
    checkPower();
    nameForces++;
    force("names", names::force, () -> {});
  }

  @Override
  public synchronized DiskLock lock(String name, String holder) {
    checkPower();
    String other = locks.get(PlainName.check(name));
    if (other != null) {
      throw new StoreException.Busy(name, other);
    }
    contentOf(name);
    locks.put(name, holder);
    return new Held(name);
  }

  @Override
  public synchronized long freeBytes() {
    checkPower();
    return Math.max(0, capacityBytes - usedBytes());
  }

  @Override
  public String describe() {
    return "simulated disk, seed " + seed;
  }

  // ---- for its files, which hold its monitor

  void checkPower() {
    if (afterTheCut != null) {
      throw new PowerCut(describe(), operations);
    }
  }

  int read(SimulatedContent content, long position, ByteBuffer target) {
    int count = content.read(position, target);
    bytesRead += count;
    return count;
  }

  void write(String name, SimulatedContent content, long position, ByteBuffer source) {
    int length = source.remaining();
    if (length == 0) {
      return;
    }
    if (isCutNow()) {
      content.write(position, part(source, random.nextInt(length + 1)), random);
      throw powerCut();
    }
    writes++;
    if (writesUntilFault == 0) {
      content.write(position, part(source, random.nextInt(length)), random);
      throw refusal(name, writeFault, "write at byte " + position);
    }
    writesUntilFault--;
    int fits =
        capacityBytes == NEVER
            ? length
            : content.fitting(position, length, capacityBytes - usedBytes());
    content.write(position, part(source, fits), random);
    bytesWritten += fits;
    if (fits < length) {
      throw refusal(name, Fault.FULL, "write at byte " + position);
    }
    source.position(source.limit());
  }

  void force(String name, SimulatedContent content) {
    forces++;
    force(name, content::force, () -> content.failForce(random));
  }

  void resize(SimulatedContent content, long sizeBytes) {
    operation(() -> content.resize(sizeBytes));
  }

  void closed(SimulatedFile file) {
    open.remove(file);
  }

  private final class Held implements DiskLock {
    private final String name;
    private boolean closed;

    Held(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (SimulatedDisk.this) {
        if (!closed) {
          closed = true;
          locks.remove(name);
        }
      }
    }
  }

  private SimulatedDisk next(long nextSeed, SimulatedNames found) {
    SimulatedDisk next = new SimulatedDisk(nextSeed, fileCapacityBytes, found);
    next.capacityBytes = capacityBytes;
    next.spoiltBytes = spoiltBytes;
    return next;
  }

  private SimulatedContent contentOf(String name) {
    SimulatedContent known = names.now().get(name);
    if (known != null) {
      return known;
    }
    SimulatedContent created = new SimulatedContent(fileCapacityBytes);
    operation(() -> names.create(name, created));
    return created;
  }

  /// Does what changes the disk in one step. If the power fails just then, it is done or not.
  private void operation(Runnable step) {
    if (isCutNow()) {
      if (random.nextBoolean()) {
        step.run();
      }
      throw powerCut();
    }
    step.run();
  }

  private boolean isCutNow() {
    operations++;
    return operations == cutAt;
  }

  private PowerCut powerCut() {
    SimulatedDisk _ = cutPower();
    return new PowerCut(describe(), operations);
  }

  private void force(String name, Runnable force, Runnable failedForce) {
    if (forcesUntilFault == 0) {
      forcesUntilFault = NEVER;
      operation(failedForce);
      throw refusal(name, Fault.IO, "force");
    }
    forcesUntilFault--;
    operation(force);
  }

  private long usedBytes() {
    Set<SimulatedContent> contents = Collections.newSetFromMap(new IdentityHashMap<>());
    contents.addAll(names.now().values());
    open.forEach(file -> contents.add(file.content()));
    return contents.stream().mapToLong(SimulatedContent::allocatedBytes).sum();
  }

  private static ByteBuffer part(ByteBuffer source, int length) {
    return source.duplicate().limit(source.position() + length);
  }

  private static StoreException refusal(String name, Fault fault, String what) {
    return switch (fault) {
      case FULL ->
          new StoreException.Full(name, new IOException("No space left on device (simulated)"));
      case IO ->
          new StoreException.Io(name, what, new IOException("Input/output error (simulated)"));
    };
  }
}
