// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.hash.Blake3;
import dev.varve.history.FileStamp;
import dev.varve.history.RecordTime;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/// A sum over all rows of a session, by which a change of what was summed up is noticed. Contents
/// may be summed up by their sizes, if a row has the time of its last change.
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
  /// @param updated the column with the time of the row's last change, in seconds or milliseconds
  public final void add(DatabaseRow row, String updated) {
    sizeBytes += number(row, "size");
    newestMs = Math.max(newestMs, RecordTime.unixMs(number(row, updated)));
    hash += ByteBuffer.wrap(Blake3.hash(RowLine.encode(row)).bytes()).getLong();
  }

  private static long number(DatabaseRow row, String column) {
    return row.columns().get(column) instanceof Long number ? number : 0;
  }

  /// The sum as the stamp of a file.
  public final FileStamp stamp() {
    return new FileStamp(sizeBytes, TimeUnit.MILLISECONDS.toNanos(newestMs), 0, hash, 0);
  }
}
