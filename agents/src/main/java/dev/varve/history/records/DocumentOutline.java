// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.records;

import dev.varve.history.RecordValue;
import java.io.ByteArrayOutputStream;

/// The outline of a document whose items are records: the document with a zero in the place of each
/// item.
public final class DocumentOutline {

  private static final int BYTES_MAX = 1 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Takes the piece between two items.
  public void piece(byte[] raw) {
    if (bytes.size() + raw.length <= BYTES_MAX) {
      bytes.write(raw, 0, raw.length);
    }
  }

  /// Takes the place of an item.
  public void item() {
    bytes.write('0');
  }

  /// The members of the document; none if the document is torn or its outline is too long.
  public RecordValue value() {
    return RecordValue.object(bytes.toByteArray()).orElse(RecordValue.NONE);
  }
}
