// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.hash.Blake3;
import dev.varve.history.FileStamp;
import java.nio.ByteBuffer;

/// A sum over all rows of a session, by which a change of what was summed up is noticed. Long
/// contents are summed up by their sizes: they would all have to be read for every look.
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
    hash += ByteBuffer.wrap(Blake3.hash(RowLine.encode(row)).bytes()).getLong();
  }

  private static long number(DatabaseRow row, String column) {
    return row.columns().get(column) instanceof Long number ? number : 0;
  }

  /// The sum as the stamp of a file.
  public final FileStamp stamp() {
    return new FileStamp(sizeBytes, newestMs * 1_000_000, 0, hash, 0);
  }
}
