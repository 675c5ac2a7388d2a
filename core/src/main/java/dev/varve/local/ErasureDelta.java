// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.EraseRequest;
import dev.varve.Overlay;
import dev.varve.chunk.ChunkList;
import dev.varve.erase.NameScan;
import dev.varve.erase.NameSet;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import dev.varve.erasure.ErasureSelection;
import dev.varve.erasure.SeamNames;
import dev.varve.erasure.SecretSurvey;
import dev.varve.journal.StorePosition;
import dev.varve.turn.OverlayRecord;
import java.util.BitSet;

/// The changes that others make to a store between the planning of an erasure and its end. While
/// none of them needs a blob that goes, the erasure counts as done before them, and its selection
/// holds.
///
/// A change that the erasure would also take, such as a further turn of an erased context, stays:
/// it came later. Only a secret is looked for in later content too, because who erases a secret
/// expects none when the erasure has ended.
final class ErasureDelta {

  private final StoreFiles files;
  private final ErasureSelection selection;
  private final FileSurvey planned;
  private final NameSet names = new NameSet();
  private final TextSearch secrets;
  private StorePosition seen;
  private boolean holds = true;
  private boolean hit;

  /// @param planned the moment of the store of which the selection was made
  ErasureDelta(
      StoreFiles files, FileSurvey planned, ErasureSelection selection, EraseRequest request) {
    this.files = files;
    this.planned = planned;
    this.selection = selection;
    this.seen = planned.position();
    this.secrets = SecretForms.search(request.secrets());
    selection.going().stream().forEach(ordinal -> names.add(planned.blob(ordinal).hash()));
  }

  /// Returns whether the selection still holds at a later position of the store. Reads what was
  /// added since the last question.
  boolean allows(StorePosition later) {
    holds = holds && isAllowed(later);
    seen = later;
    return holds;
  }

  private boolean isAllowed(StorePosition later) {
    StorePosition.Ends from = seen.ends();
    StorePosition.Ends to = later.ends();
    if (later.counts().blobs() - seen.counts().blobs() != to.blobEntries() - from.blobEntries()) {
      return false; // a blob was stored again, because it was damaged
    }
    FileSurvey survey = new FileSurvey(files, later, files.blobs, planned.chunkSizes());
    for (int ordinal = (int) from.blobEntries(); ordinal < survey.blobCount(); ordinal++) {
      if (isHit(survey, ordinal)) {
        return false;
      }
    }
    for (long ordinal = from.turns(); ordinal < to.turns(); ordinal++) {
      BlobHash fsRoot = files.turns.meta(ordinal).fsRoot();
      if (goes(files.turns.record(ordinal).payloadHash()) || fsRoot != null && goes(fsRoot)) {
        return false;
      }
    }
    for (long seq = from.overlays() + 1; seq <= to.overlays(); seq++) {
      OverlayRecord overlay = files.overlays.record(seq);
      if (overlay.kind() != Overlay.Kind.TOMBSTONE && goes(overlay.newPayloadHash())) {
        return false;
      }
    }
    for (long record = from.headLogRecords(); record < to.headLogRecords(); record++) {
      BlobHash about = FileSurvey.logged(files, record).about();
      if (about != null && goes(about)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether a new blob needs a blob that goes, or has a secret in it.
  private boolean isHit(FileSurvey survey, int ordinal) {
    hit = survey.blob(ordinal).chunked() && hasPieceThatGoes(survey, ordinal);
    NameScan.scan(survey.content(ordinal), names, name -> hit |= goes(name));
    if (!hit && survey.blob(ordinal).chunked()) {
      new SeamNames(survey, names).find(ordinal, name -> hit |= goes(name));
    }
    if (!hit && secrets.bytesMax() > 0) {
      BitSet looked = new BitSet();
      looked.set(ordinal);
      BitSet found = new BitSet();
      new SecretSurvey(survey, secrets, found).look(looked, _ -> {});
      hit = !found.isEmpty();
    }
    return hit;
  }

  /// Returns whether a chunk of a blob goes. A list of chunks may stay although one of them goes.
  private boolean hasPieceThatGoes(FileSurvey survey, int whole) {
    ChunkList root = survey.rootList(whole);
    for (int i = 0; i < root.count(); i++) {
      ChunkList list = survey.chunkList(survey.requireOrdinal(root.hash(i)));
      for (int j = 0; j < list.count(); j++) {
        if (goes(list.hash(j))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean goes(BlobHash hash) {
    int ordinal = planned.ordinal(hash);
    return ordinal >= 0 && selection.going().get(ordinal);
  }
}
