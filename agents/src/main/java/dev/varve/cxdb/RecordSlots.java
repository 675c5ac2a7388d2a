// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.imports.ProblemList;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/// Records of one size whose last four bytes are a CRC-32 of the others: `turns.log`, `heads.tbl`,
/// `fs/roots.idx`.
///
/// The reference server stops at the first bad record; here only the bad record is lost. The next
/// record begins wherever the bytes have a right checksum, which need not be a whole number of
/// records further on.
record RecordSlots(SourceFile file, int slotBytes) {

  private static final int CRC_BYTES = 4;

  /// Takes one whole record.
  interface Visitor {
    void slot(long offset, ByteBuffer slot);
  }

  void visit(ProblemList problems, Visitor visitor) {
    long offset = 0;
    long damagedFrom = -1;
    while (offset + slotBytes <= file.sizeBytes()) {
      if (intact(offset)) {
        if (damagedFrom >= 0) {
          SourceFile.reportDamage(problems, file.name(), damagedFrom, offset);
          damagedFrom = -1;
        }
        visitor.slot(offset, file.at(offset, slotBytes));
        offset += slotBytes;
      } else {
        damagedFrom = damagedFrom < 0 ? offset : damagedFrom;
        offset++;
      }
    }
    if (damagedFrom >= 0 || offset < file.sizeBytes()) {
      SourceFile.reportDamage(
          problems, file.name(), damagedFrom < 0 ? offset : damagedFrom, file.sizeBytes());
    }
  }

  private boolean intact(long offset) {
    ByteBuffer slot = file.at(offset, slotBytes);
    int expected = slot.getInt(slotBytes - CRC_BYTES);
    CRC32 crc = new CRC32();
    crc.update(slot.slice(0, slotBytes - CRC_BYTES));
    return (int) crc.getValue() == expected;
  }
}
