// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonError;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Every reference below folders of conversations.
///
/// A reference is the value of a member `$blob`, at any depth, in any JSON: of kinds of events that
/// are not known yet, of configurations, of editors' backups. Where a file is no JSON, every 64
/// hexadecimal digits count. Nothing is ever taken out of the set again. A file is read again only
/// if its size, time or number has changed.
final class ReferenceScan {

  private static final int FILE_BYTES_MAX = 256 << 20;
  private static final int DEPTH_MAX = 40;

  private final BooleanSupplier stop;
  private final Set<Sha256> hashes = new HashSet<>();
  private final Map<Path, FileState> read = new HashMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private long readBytes;

  ReferenceScan(BooleanSupplier stop) {
    this.stop = stop;
  }

  Set<Sha256> hashes() {
    return hashes;
  }

  /// Files and folders whose references are not known. While there is one, nothing may be removed.
  List<String> unreadable() {
    return unreadable;
  }

  /// The peculiarities of the files. Each is reported when its file is read; a later look does not
  /// read the file again.
  List<String> remarks() {
    return remarks;
  }

  long files() {
    return read.size();
  }

  long readBytes() {
    return readBytes;
  }

  /// Reads what is below `folders` and was not read yet.
  void look(List<Path> folders) {
    unreadable.clear(); // what could not be read before may be gone, or readable
    for (Path folder : folders) {
      try {
        if (RealFiles.isFolder(folder)) {
          walk(folder, 0);
        }
      } catch (StoreException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void walk(Path folder, int depth) {
    List<Path> entries;
    try {
      entries = RealFiles.listReal(folder);
    } catch (StoreException e) {
      unreadable.add(String.valueOf(e.getMessage()));
      return;
    }
    for (Path entry : entries) {
      if (stop.getAsBoolean()) {
        return;
      }
      try {
        RealFiles.look(entry).ifPresent(found -> entry(entry, found, depth));
      } catch (StoreException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void entry(Path path, BasicFileAttributes found, int depth) {
    boolean json = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT).contains(".json");
    if (found.isDirectory()) {
      if (depth == DEPTH_MAX) {
        unreadable.add(path + ": more than " + DEPTH_MAX + " folders deep");
      } else {
        walk(path, depth + 1);
      }
    } else if (found.isRegularFile()) {
      if (json) {
        file(path, FileState.of(found));
      }
    } else if (json || Files.isDirectory(path)) {
      unreadable.add(path + ": " + RealFiles.words(found) + ", not followed");
    }
  }

  private void file(Path path, FileState state) {
    if (state.equals(read.get(path))) {
      if (state.sizeBytes() == 0) {
        unreadable.add(path + ": empty");
      }
      return;
    }
    try {
      if (state.sizeBytes() > FILE_BYTES_MAX) {
        stream(path);
      } else if (!bytes(path, RealFiles.read(path, FILE_BYTES_MAX))) {
        return; // not remembered, so that it is found unreadable again
      }
      read.put(path, state);
    } catch (StoreException.NotFound e) {
      // Gone since it was listed: a folder that was renamed is found under its new name.
    } catch (StoreException.TooLarge e) {
      stream(path); // grew meanwhile
    }
  }

  /// Takes in the references of a text.
  ///
  /// @return false if there may be more of them than could be read
  boolean bytes(Path path, byte[] bytes) {
    readBytes += bytes.length;
    return switch (JsonReading.of(bytes)) {
      case JsonText text -> {
        take(text);
        yield true;
      }
      case JsonError error -> {
        HexRuns.in(bytes, 0, bytes.length, hashes::add);
        if (error.cutOff() || !endsLikeJson(bytes)) {
          unreadable.add(path + ":" + error + "; its end is missing");
          yield false;
        }
        remarks.add(path + ":" + error + "; everything in it that looks like a hash counts");
        yield true;
      }
    };
  }

  private void take(JsonText text) {
    for (int value = 0; value < text.size(); value++) {
      if (text.isNamed(value, "$blob")) {
        HexRuns.in(text.bytes(), text.from(value), text.to(value), hashes::add);
      }
    }
  }

  /// Returns whether nothing seems to be missing: the last thing is a closing bracket, and there
  /// are no zeros, as a crash leaves them.
  private static boolean endsLikeJson(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] <= ' ' && bytes[end - 1] > 0) {
      end--;
    }
    for (byte b : bytes) {
      if (b == 0) {
        return false;
      }
    }
    return end > 0 && (bytes[end - 1] == ']' || bytes[end - 1] == '}');
  }

  /// A file that is too large to be taken apart: whatever looks like a hash counts.
  private void stream(Path path) {
    HexRuns runs = new HexRuns(hashes::add);
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = RealFiles.open(path)) {
      for (int size = in.read(buffer); size > 0 && !stop.getAsBoolean(); size = in.read(buffer)) {
        runs.take(buffer, 0, size);
        readBytes += size;
      }
      runs.end();
    } catch (IOException e) {
      throw DiskErrors.of(path, "read", e);
    }
    remarks.add(path + ": very large; everything in it that looks like a hash counts");
  }
}
