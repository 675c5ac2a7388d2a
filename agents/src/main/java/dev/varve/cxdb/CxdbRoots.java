// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import dev.varve.imports.ProblemList;
import java.util.Optional;

/// Finds the file tree of a turn in `fs/roots.idx`.
final class CxdbRoots {

  private final SourceFile file;
  private final NumberIndex index = new NumberIndex();

  private CxdbRoots(SourceFile file) {
    this.file = file;
  }

  static CxdbRoots read(SourceFile file, NumberIndex turns, ProblemList problems) {
    CxdbRoots roots = new CxdbRoots(file);
    new RecordSlots(file, CxdbRoot.SIZE_BYTES)
        .visit(
            problems,
            (offset, slot) -> {
              long turn = CxdbRoot.read(slot).turn();
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
        : Optional.of(CxdbRoot.read(file.at(index.offset(position), CxdbRoot.SIZE_BYTES)).root());
  }
}
