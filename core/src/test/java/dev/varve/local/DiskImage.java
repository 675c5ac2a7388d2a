// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The files of a store as bytes, to be kept, changed, mixed with others, and put onto a new disk.
record DiskImage(Map<String, byte[]> files) {

  static final int FILE_CAPACITY_BYTES = 1 << 18;

  static DiskImage of(Disk disk) {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : disk.names()) {
      if (!name.equals(LocalStore.LOCK)) {
        try (DiskFile file = disk.open(name)) {
          ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
          file.read(0, bytes);
          files.put(name, bytes.array());
        }
      }
    }
    return new DiskImage(files);
  }

  List<String> names() {
    return List.copyOf(files.keySet());
  }

  boolean has(String name) {
    return files.containsKey(name);
  }

  byte[] file(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new AssertionError("no " + name + " among " + files.keySet());
    }
    return bytes.clone();
  }

  DiskImage with(String name, byte[] bytes) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.put(name, bytes);
    return new DiskImage(changed);
  }

  DiskImage without(String name) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.remove(name);
    return new DiskImage(changed);
  }

  /// With one byte of a file turned into another.
  DiskImage withFlip(String name, int offset) {
    byte[] bytes = file(name);
    bytes[offset] ^= 0x55;
    return with(name, bytes);
  }

  /// A disk that has these files, all of them forced.
  SimulatedDisk disk() {
    SimulatedDisk disk = new SimulatedDisk(files.hashCode(), FILE_CAPACITY_BYTES);
    files.forEach(
        (name, bytes) -> {
          try (DiskFile file = disk.open(name)) {
            file.write(0, ByteBuffer.wrap(bytes));
            file.force();
          }
        });
    disk.forceNames();
    return disk;
  }
}
