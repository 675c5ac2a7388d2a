// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.history.GrownSession.NewLines;
import dev.varve.history.marks.FileMark;
import dev.varve.history.marks.PlacedRecord;
import dev.varve.history.marks.SessionMarks;
import dev.varve.history.marks.ViewMark;
import dev.varve.imports.AboutFields;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.LeafContexts;
import dev.varve.imports.LeafContexts.KnownLeaf;
import dev.varve.imports.LineReader;
import dev.varve.imports.ManifestContext;
import dev.varve.imports.ProblemList;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.TurnPlacement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes the view of a session of which new lines were read, from these lines and the view before.
/// The view is the same that [ViewDerivation] makes of all lines.
final class GrownView {

  private final Store store;
  private final HistoryProfile profile;
  private final SessionAbout newest;
  private final SessionMarks marks;
  private final List<NewLines> lines;
  private final Map<String, List<UsageEvidence>> usage = new HashMap<>();
  private final List<KnownLeaf> leaves = new ArrayList<>();
  private final Map<String, SessionAbout.View> views = new HashMap<>();

  /// @param newest the version before
  /// @param known the manifest of the version before
  GrownView(
      Store store,
      HistoryProfile profile,
      SessionAbout newest,
      HistoryManifest known,
      GrownSession grown)
      throws IOException {
    this.store = store;
    this.profile = profile;
    this.newest = newest;
    this.marks = grown.marks();
    this.lines = grown.lines();
    readUsage(known);
  }

  private void readUsage(HistoryManifest known) throws IOException {
    List<UsageEvidence> all = UsageEvidence.get(store, newest.usage());
    Map<String, FileMark> bySlot = marks.bySlot();
    int from = 0;
    for (ArchivedFile file : known.files()) {
      FileMark mark = bySlot.get(file.slot());
      if (file.kind().hasTurns() && mark != null) {
        int to = Math.min(all.size(), from + mark.usage());
        usage.put(file.slot(), all.subList(from, to));
        from = to;
      }
    }
  }

  /// Decides whether the new lines can be placed without a look at those before: each names a
  /// parent that is new or was placed lately, is a turn that the store does not have, and nobody
  /// else went on from the session's leaves. Writes nothing.
  boolean isSure() throws IOException {
    if (!readLeaves()) {
      return false;
    }
    for (NewLines each : lines) {
      TranscriptReader reader = reader(each);
      SureRecords records = new SureRecords(store, each.mark().recent());
      read(each, reader, records);
      if (!records.sure || !reader.isSure()) {
        return false;
      }
    }
    return true;
  }

  /// @return false if a leaf is not as the last import left it
  private boolean readLeaves() {
    for (ContextId context : marks.ends()) {
      ContextHead head = store.head(context);
      BlobHash about = head.about();
      Optional<AboutFields> found =
          about == null ? Optional.empty() : AboutFields.read(store.get(about));
      if (found.isEmpty() || head.head().equals(TurnId.NONE)) {
        return false;
      }
      AboutFields fields = found.get();
      String slot = fields.text("slot");
      String turns = Integer.toString(store.turn(head.head(), View.HEADERS).depth() + 1);
      if (!fields.text("turns").equals(turns)) {
        return false;
      }
      try {
        views.put(slot, SessionAbout.view(fields));
      } catch (NumberFormatException e) {
        return false; // somebody else described it
      }
      leaves.add(new KnownLeaf(context, head.head(), LeafName.of(slot, fields.text("leaf"))));
    }
    return true;
  }

  private TranscriptReader reader(NewLines each) {
    TranscriptReader reader = profile.reader(each.slot());
    reader.resume(each.mark().reader(), usage.getOrDefault(each.slot(), List.of()));
    return reader;
  }

  private void read(NewLines each, TranscriptReader reader, RecordSink sink) throws IOException {
    try (LineReader in = each.read()) {
      while (in.next()) {
        if (sink instanceof RecordPlacement records) {
          records.at(in.number());
        }
        if (in.whole()) {
          TranscriptLines.read(in, profile, reader, sink);
        } else {
          sink.unreadable("longer than a turn may be; kept as bytes");
        }
      }
    }
    reader.end(sink);
  }

  /// Makes the view. To be called if [#isSure()].
  ///
  /// @param context the session's
  DerivedView derive(HistoryManifest manifest, ManifestContext context) throws IOException {
    LeafContexts contexts = new LeafContexts(store);
    contexts.resume(newest.contexts(), leaves);
    TurnPlacement placement = new TurnPlacement(store, context.id(), contexts);
    Map<String, ViewMark> ends = new HashMap<>();
    views.put(HistoryFile.MAIN, newest.view().withSize(manifest.sizeBytes()));
    RecordCounts counts = RecordCounts.NONE;
    for (NewLines each : lines) {
      RecordPlacement records =
          new RecordPlacement(profile, each.slot(), placement, new ProblemList());
      records.resume(each.mark().recent());
      TranscriptReader reader = reader(each);
      read(each, reader, records);
      records.finish();
      SessionFacts facts = reader.facts();
      RecordCounts all = each.before().counts().plus(records.counts());
      ViewMark end = ViewDerivation.mark(reader, records, facts);
      ends.put(each.slot(), new ViewMark(all, end.usage(), end.recent(), end.reader()));
      usage.put(each.slot(), facts.usage());
      ArchivedFile file = manifest.find(each.slot()).orElseThrow();
      views.put(each.slot(), ViewDerivation.view(file, manifest, facts, all.turns()));
      counts = counts.plus(all);
    }
    for (FileMark mark : marks.files()) {
      counts = ends.containsKey(mark.slot()) ? counts : counts.plus(mark.counts());
    }
    ContextChanges settled = contexts.settle(new LeafAbouts(profile.agent(), views, context.id()));
    List<UsageEvidence> all =
        manifest.files().stream()
            .flatMap(file -> usage.getOrDefault(file.slot(), List.of()).stream())
            .toList();
    return new DerivedView(
        counts,
        settled,
        views.get(HistoryFile.MAIN),
        newest.base(),
        true,
        UsageEvidence.put(store, all),
        ProblemSummary.NONE,
        new DerivedView.Ends(contexts.ends(), ends));
  }

  /// Looks for records that cannot be placed without knowing all records before.
  private static final class SureRecords implements RecordSink {
    private final Store store;
    private final Map<String, TurnId> recent = new HashMap<>();
    private final Set<String> added = new HashSet<>();
    private boolean sure = true;

    SureRecords(Store store, List<PlacedRecord> recent) {
      this.store = store;
      recent.forEach(record -> this.recent.put(record.id(), record.turn()));
    }

    @Override
    public void turn(HistoryTurn record) {
      sure = sure && isSure(record);
      added.add(record.id());
    }

    private boolean isSure(HistoryTurn record) {
      if (record.parents().isEmpty()) {
        return isNew(TurnId.NONE, record);
      }
      String parent = record.parents().getFirst();
      TurnId known = recent.get(parent);
      return added.contains(parent) || known != null && isNew(known, record);
    }

    private boolean isNew(TurnId parent, HistoryTurn record) {
      return store.findChild(parent, Blake3.hash(record.payload())).isEmpty();
    }

    @Override
    public void bookkeeping() {
      // no turn
    }

    @Override
    public void unknown() {
      // no turn
    }

    @Override
    public void duplicate() {
      // no turn
    }

    @Override
    public void unreadable(String why) {
      sure = false; // problems are counted over the whole file
    }
  }
}
