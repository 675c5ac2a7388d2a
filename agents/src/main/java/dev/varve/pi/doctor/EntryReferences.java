// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.pi.session.EntryFacts;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.EntryKind;
import dev.varve.pi.session.EntryTable;
import java.util.ArrayList;
import java.util.List;

/// The references of labels and compactions to other entries, until all entries are known.
final class EntryReferences {

  private record Reference(EntryKind kind, EntryId target, long line, long offset, int sizeBytes) {}

  private final List<Reference> references = new ArrayList<>();

  void take(EntryFacts facts, long line, long offset, int sizeBytes) {
    if (facts.refersTo() != null
        && (facts.kind() == EntryKind.LABEL || facts.kind() == EntryKind.COMPACTION)) {
      references.add(
          new Reference(facts.kind(), EntryId.of(facts.refersTo()), line, offset, sizeBytes));
    }
  }

  void report(EntryTable entries, ProblemPlaces findings) {
    for (Reference reference : references) {
      if (entries.find(reference.target()) < 0) {
        findings.add(
            reference.kind() == EntryKind.LABEL
                ? SessionProblem.LABEL_WITHOUT_TARGET
                : SessionProblem.LOST_REFERENCE,
            reference.line(),
            reference.offset(),
            reference.sizeBytes(),
            "");
      }
    }
  }
}
