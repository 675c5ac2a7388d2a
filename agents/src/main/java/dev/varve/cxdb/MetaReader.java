// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.imports.ProblemList;
import java.util.Optional;

/// Finds each turn's record in `turns.meta`, whose records are of any size and have no checksum.
///
/// A record is believed if its turn is in the log and its type is plain text. Behind bytes that are
/// not a record, the next record is searched for at each byte. Such a record is believed only if
/// another record, or the end, follows: the numbers in the middle of a record may look like the
/// beginning of a short record.
final class MetaReader {

  private final SourceFile file;
  private final NumberIndex index = new NumberIndex();

  private MetaReader(SourceFile file) {
    this.file = file;
  }

  static MetaReader read(SourceFile file, NumberIndex turns, ProblemList problems) {
    MetaReader reader = new MetaReader(file);
    long offset = 0;
    long damagedFrom = -1;
    while (offset < file.sizeBytes()) {
      Optional<CxdbMeta> record = believable(file, offset, turns);
      if (damagedFrom >= 0 && record.isPresent()) {
        long next = offset + record.get().sizeBytes();
        boolean followed = next == file.sizeBytes() || believable(file, next, turns).isPresent();
        record = followed ? record : Optional.empty();
      }
      if (record.isPresent()) {
        if (damagedFrom >= 0) {
          SourceFile.reportDamage(problems, file.name(), damagedFrom, offset);
          damagedFrom = -1;
        }
        reader.index.add(record.get().turn(), offset);
        offset += record.get().sizeBytes();
      } else {
        damagedFrom = damagedFrom < 0 ? offset : damagedFrom;
        offset++;
      }
    }
    if (damagedFrom >= 0) {
      SourceFile.reportDamage(problems, file.name(), damagedFrom, file.sizeBytes());
    }
    reader.index.close();
    return reader;
  }

  private static Optional<CxdbMeta> believable(SourceFile file, long offset, NumberIndex turns) {
    // The number first: it is cheap to look up, and wrong at almost every byte.
    return CxdbMeta.turn(file, offset).filter(turn -> turns.position(turn) >= 0).isEmpty()
        ? Optional.empty()
        : CxdbMeta.read(file, offset)
            .filter(found -> found.type().id().chars().noneMatch(Character::isISOControl));
  }

  Optional<CxdbMeta> find(long turn) {
    int position = index.position(turn);
    return position < 0 ? Optional.empty() : CxdbMeta.read(file, index.offset(position));
  }
}
