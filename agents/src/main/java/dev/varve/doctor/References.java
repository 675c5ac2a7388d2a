// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import dev.varve.pi.EntryId;
import dev.varve.session.EntryFacts;
import dev.varve.session.EntryTable;
import dev.varve.session.Kind;
import java.util.ArrayList;
import java.util.List;

/// What labels and compactions speak of, until all entries are known.
final class References {

  private record Reference(Kind kind, EntryId target, long line, long offset, int sizeBytes) {}

  private final List<Reference> references = new ArrayList<>();

  void take(EntryFacts facts, long line, long offset, int sizeBytes) {
    if (facts.refersTo() != null
        && (facts.kind() == Kind.LABEL || facts.kind() == Kind.COMPACTION)) {
      references.add(
          new Reference(facts.kind(), EntryId.of(facts.refersTo()), line, offset, sizeBytes));
    }
  }

  void tell(EntryTable entries, Findings findings) {
    for (Reference reference : references) {
      if (entries.find(reference.target()) < 0) {
        findings.add(
            reference.kind() == Kind.LABEL ? Ailment.LABEL_WITHOUT_TARGET : Ailment.LOST_REFERENCE,
            reference.line(),
            reference.offset(),
            reference.sizeBytes(),
            "");
      }
    }
  }
}
