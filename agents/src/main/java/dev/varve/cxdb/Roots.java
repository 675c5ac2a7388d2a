// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import java.util.Optional;

/// Finds the file tree of a turn in `fs/roots.idx`.
final class Roots {

  private final SourceFile file;
  private final NumberIndex index = new NumberIndex();

  private Roots(SourceFile file) {
    this.file = file;
  }

  static Roots read(SourceFile file, NumberIndex turns, Problems problems) {
    Roots roots = new Roots(file);
    new Slots(file, RootRecord.SIZE_BYTES)
        .visit(
            problems,
            (offset, slot) -> {
              long turn = RootRecord.read(slot).turn();
              if (turns.position(turn) >= 0) {
                roots.index.add(turn, offset);
              } else {
                problems.add(
                    file.name(), offset, "its turn " + Long.toUnsignedString(turn) + " is missing");
              }
            });
    roots.index.close();
    return roots;
  }

  Optional<BlobHash> find(long turn) {
    int position = index.position(turn);
    return position < 0
        ? Optional.empty()
        : Optional.of(
            RootRecord.read(file.at(index.offset(position), RootRecord.SIZE_BYTES)).root());
  }
}
