// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.hash.Blake3;
import dev.varve.history.FileStamp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A sum over all rows of a session, by which every change of a row is noticed.
public class RowSum {

  private long sizeBytes;
  private long newestMs;
  private long hash;

  /// Adds a row with the columns `size` and `updated`, where they exist.
  public final void add(DatabaseRow row) {
    add(row, "updated");
  }

  /// Adds a row.
  ///
  /// @param updated the column with the time of the row's last change
  public final void add(DatabaseRow row, String updated) {
    sizeBytes += number(row, "size");
    newestMs = Math.max(newestMs, number(row, updated));
    byte[] text = row.columns().values().toString().getBytes(StandardCharsets.UTF_8);
    hash += ByteBuffer.wrap(Blake3.hash(text).bytes()).getLong();
  }

  private static long number(DatabaseRow row, String column) {
    return row.columns().get(column) instanceof Long number ? number : 0;
  }

  /// The sum as the stamp of a file.
  public final FileStamp stamp() {
    return new FileStamp(sizeBytes, newestMs * 1_000_000, 0, hash, 0);
  }
}
