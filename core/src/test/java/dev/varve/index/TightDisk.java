// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.DiskLock;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// A disk on which writing stops when its room is used up. It may or may not say so beforehand.
final class TightDisk implements Disk {

  private final Disk disk;
  private volatile long room;
  private volatile boolean honest;

  TightDisk(Disk disk, long room) {
    this.disk = disk;
    this.room = room;
  }

  void setRoom(long bytes, boolean saysSo) {
    room = bytes;
    honest = saysSo;
  }

  private synchronized void take(String name, long bytes) {
    if (bytes > room) {
      room = 0;
      throw new StoreException.Full(name, new IllegalStateException("the test's disk is full"));
    }
    room -= bytes;
  }

  @Override
  public DiskFile open(String name) {
    return new TightFile(disk.open(name));
  }

  @Override
  public boolean exists(String name) {
    return disk.exists(name);
  }

  @Override
  public List<String> names() {
    return disk.names();
  }

  @Override
  public void delete(String name) {
    disk.delete(name);
  }

  @Override
  public void replace(String from, String to) {
    disk.replace(from, to);
  }

  @Override
  public void forceNames() {
    disk.forceNames();
  }

  @Override
  public DiskLock lock(String name, String holder) {
    return disk.lock(name, holder);
  }

  @Override
  public long freeBytes() {
    return honest ? room : Long.MAX_VALUE;
  }

  @Override
  public String describe() {
    return "tight " + disk.describe();
  }

  private final class TightFile implements DiskFile {
    private final DiskFile file;

    TightFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long sizeBytes() {
      return file.sizeBytes();
    }

    @Override
    public int read(long position, ByteBuffer target) {
      return file.read(position, target);
    }

    @Override
    public void write(long position, ByteBuffer source) {
      take(file.name(), Math.max(0, position + source.remaining() - file.sizeBytes()));
      file.write(position, source);
    }

    @Override
    public void force() {
      file.force();
    }

    @Override
    public void resize(long sizeBytes) {
      file.resize(sizeBytes);
    }

    @Override
    public MemorySegment map(long position, long sizeBytes, boolean writable) {
      return file.map(position, sizeBytes, writable);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
