// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// An open file of a [SimulatedDisk]. The disk decides what happens; this keeps its place.
final class SimulatedFile implements DiskFile {

  private final SimulatedDisk disk;
  private final String name;
  private final SimulatedContent content;
  private volatile boolean closed;

  SimulatedFile(SimulatedDisk disk, String name, SimulatedContent content) {
    this.disk = disk;
    this.name = name;
    this.content = content;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long sizeBytes() {
    synchronized (disk) {
      check();
      return content.sizeBytes();
    }
  }

  @Override
  public int read(long position, ByteBuffer target) {
    synchronized (disk) {
      check();
      checkNotNegative(position);
      return disk.read(content, position, target);
    }
  }

  @Override
  public void write(long position, ByteBuffer source) {
    synchronized (disk) {
      check();
      checkNotNegative(position);
      disk.write(name, content, position, source);
    }
  }

  @Override
  public void force() {
    synchronized (disk) {
      check();
      disk.force(name, content);
    }
  }

  @Override
  public void resize(long sizeBytes) {
    synchronized (disk) {
      check();
      checkNotNegative(sizeBytes);
      disk.resize(content, sizeBytes);
    }
  }

  @Override
  public MemorySegment map(long position, long sizeBytes, boolean writable) {
    synchronized (disk) {
      check();
      if (position < 0 || sizeBytes < 0 || sizeBytes > content.sizeBytes() - position) {
        throw new IllegalArgumentException(
            "map %d bytes at byte %d of %s, which has %d"
                .formatted(sizeBytes, position, name, content.sizeBytes()));
      }
      return content.map(position, sizeBytes, writable);
    }
  }

  /// Also after a power cut, so that what was cut off can be cleared away.
  @Override
  public void close() {
    synchronized (disk) {
      closed = true;
      disk.closed(this);
    }
  }

  SimulatedContent content() {
    return content;
  }

  private void check() {
    disk.checkPower();
    if (closed) {
      throw new StoreException.Closed(name);
    }
  }

  private static void checkNotNegative(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("position or size " + number);
    }
  }
}
