// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonError;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import java.nio.file.Path;

/// An `events.json` as it was read.
///
/// @param state of the file before it was read, so that a later look finds out whether the file has
///   changed
@SuppressWarnings("ArrayRecordComponent") // never compared
record EventsFile(Path path, byte[] bytes, FileState state, JsonText text) {

  /// The largest file that is taken into memory.
  static final int SIZE_BYTES_MAX = 256 << 20;

  /// Reads the file of a copy.
  ///
  /// @throws StoreException.NotFound if it is absent
  /// @throws NotJson if it is not strict JSON
  static EventsFile read(ConversationCopy copy) throws NotJson {
    return read(copy.events());
  }

  static EventsFile read(Path path) throws NotJson {
    FileState state =
        FileState.of(path).orElseThrow(() -> new StoreException.NotFound("file", path.toString()));
    byte[] bytes = RealFiles.read(path, SIZE_BYTES_MAX);
    return switch (JsonReading.of(bytes)) {
      case JsonText text -> new EventsFile(path, bytes, state, text);
      case JsonError error -> throw new NotJson(path, error);
    };
  }

  /// The file is no strict JSON; nothing is done to it.
  static final class NotJson extends Exception {
    private static final long serialVersionUID = 1;
    private final transient JsonError error;

    NotJson(Path path, JsonError error) {
      super(path + ":" + error, null, false, false);
      this.error = error;
    }

    JsonError error() {
      return error;
    }
  }
}
