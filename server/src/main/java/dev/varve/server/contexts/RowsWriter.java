// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.files.FileDraft;
import dev.varve.hash.Blake3;
import java.nio.ByteBuffer;

/// Writes the rows into a file while they are in use, some at a time. For one file.
final class RowsWriter {

  /// The bytes that are taken from the rows at a time, while queries wait.
  private static final int PART_BYTES = 4 * TextPool.TEXT_BYTES_MAX;

  private final ContextRows rows;
  private final FileDraft draft;
  private final Blake3 hash = new Blake3();
  private final byte[] partBytes = new byte[PART_BYTES];
  private final ByteBuffer part = RowsFile.buffer(partBytes);

  RowsWriter(ContextRows rows, FileDraft draft) {
    this.rows = rows;
    this.draft = draft;
  }

  /// Writes everything into the draft. The last turns are counted at the end: they are not before
  /// any turn from which a row was read.
  void write(RowsFile.Origin origin, Store store, StorageFacts facts) {
    int texts = rows.textCount();
    int lists = rows.listCount();
    part.putLong(RowsFile.MAGIC).putInt(RowsFile.VERSION).putInt(0);
    RowsFile.put(origin.store(), part);
    part.putLong(origin.overlays()).putInt(texts).putInt(lists);
    flush();
    for (int next = 1; next <= texts; flush()) {
      next = rows.writeTexts(next, texts, part);
    }
    for (int next = 1; next <= lists; flush()) {
      next = rows.writeLists(next, lists, part);
    }
    int greatest = rows.greatest();
    for (int next = 1; next <= greatest; flush()) {
      next = rows.writeRows(next, greatest, texts, lists, part);
    }
    long turns = store.counts().turns();
    BlobHash history = facts.historyName(turns, origin.overlays()).orElseThrow();
    part.putLong(turns);
    RowsFile.put(history, part);
    flush();
    draft.write(hash.digest().bytes());
  }

  private void flush() {
    hash.update(partBytes, 0, part.position());
    draft.write(partBytes, 0, part.position());
    part.clear();
  }
}
