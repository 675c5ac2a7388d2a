// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// A disk that does what another does; a test overrides what shall go differently.
public class ForwardingDisk implements Disk {

  protected final Disk disk;

  public ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  @Override
  public DiskFile open(String name) {
    return new File(disk.open(name));
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
  public Map<String, Long> sizesBytes() {
    return disk.sizesBytes();
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
  public DiskFile createDraft(String target, FileAccess access) {
    return new File(disk.createDraft(target, access));
  }

  @Override
  public void claim(String from, String to) {
    disk.claim(from, to);
  }

  @Override
  public int deleteAbandonedDrafts() {
    return disk.deleteAbandonedDrafts();
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
    return disk.freeBytes();
  }

  @Override
  public String describe() {
    return disk.describe();
  }

  // ---- what its files do

  protected void force(DiskFile file) {
    file.force();
  }

  protected void resize(DiskFile file, long sizeBytes) {
    file.resize(sizeBytes);
  }

  protected void write(DiskFile file, long position, ByteBuffer source) {
    file.write(position, source);
  }

  protected int read(DiskFile file, long position, ByteBuffer target) {
    return file.read(position, target);
  }

  protected long sizeBytes(DiskFile file) {
    return file.sizeBytes();
  }

  private final class File implements DiskFile {
    private final DiskFile file;

    File(DiskFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long sizeBytes() {
      return ForwardingDisk.this.sizeBytes(file);
    }

    @Override
    public int read(long position, ByteBuffer target) {
      return ForwardingDisk.this.read(file, position, target);
    }

    @Override
    public void write(long position, ByteBuffer source) {
      ForwardingDisk.this.write(file, position, source);
    }

    @Override
    public void force() {
      ForwardingDisk.this.force(file);
    }

    @Override
    public void resize(long sizeBytes) {
      ForwardingDisk.this.resize(file, sizeBytes);
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
