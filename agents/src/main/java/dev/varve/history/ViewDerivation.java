// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.history.bytes.ArchivedLines;
import dev.varve.history.bytes.FreshLines;
import dev.varve.history.bytes.StoredContent;
import dev.varve.history.bytes.TranscriptParts;
import dev.varve.history.marks.PlacedRecord;
import dev.varve.history.marks.ViewMark;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.LeafContexts;
import dev.varve.imports.LineReader;
import dev.varve.imports.ManifestContext;
import dev.varve.imports.ProblemList;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.TurnPlacement;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the view of a session: reads the archived bytes by the agent's profile, gives each record
/// that is a turn its turn, and each leaf its context.
///
/// The heap holds one line and some 200 bytes for each turn of a transcript.
final class ViewDerivation {

  /// The longest line that becomes a turn, so that a turn fits one frame of the protocol.
  static final int LINE_BYTES_MAX = 63 << 20;

  /// The largest file that readers of transcripts are shown.
  private static final int DESCRIPTION_BYTES_MAX = 8 << 20;

  /// The most sessions that go on from one another.
  private static final int BASES_MAX = 1 << 10;

  private final Store store;
  private final HistoryProfile profile;
  private final ManifestContext context;
  private final FreshLines fresh;
  private final ProblemList problems = new ProblemList();
  private final List<UsageEvidence> usage = new ArrayList<>();

  private final Map<String, ViewMark> marks = new HashMap<>();

  private String base = "";
  private boolean whole = true;

  /// @param context the session's
  /// @param fresh lines that were archived with this version of the profile a moment ago
  ViewDerivation(Store store, HistoryProfile profile, ManifestContext context, FreshLines fresh) {
    this.store = store;
    this.profile = profile;
    this.context = context;
    this.fresh = fresh;
  }

  /// Makes the view of one version.
  ///
  /// @param known the contexts of the leaves of the version before
  DerivedView derive(HistoryManifest manifest, Iterable<ContextId> known) throws IOException {
    LeafContexts leaves = new LeafContexts(store);
    List<ContextId> before = new ArrayList<>();
    known.forEach(before::add);
    leaves.expect(before);
    TurnPlacement placement = new TurnPlacement(store, context.id(), leaves);
    Map<String, SessionAbout.View> views = new HashMap<>();
    RecordCounts counts = RecordCounts.NONE;
    for (ArchivedFile file : manifest.files()) {
      if (file.kind().hasTurns()) {
        RecordPlacement records = new RecordPlacement(profile, file.slot(), placement, problems);
        SessionFacts facts = read(file, manifest, records);
        RecordCounts own = records.counts();
        views.put(file.slot(), view(file, manifest, facts, own.turns()));
        counts = counts.plus(own);
        usage.addAll(facts.usage());
      }
    }
    SessionAbout.View main = views.get(HistoryFile.MAIN);
    if (main == null) {
      throw new AssertionError("a manifest without a transcript");
    }
    LeafAbouts abouts = new LeafAbouts(profile.agent(), views, context.id());
    ContextChanges settled = leaves.settle(abouts);
    return new DerivedView(
        counts,
        settled,
        main,
        base,
        whole,
        UsageEvidence.put(store, usage),
        problems.summary(),
        new DerivedView.Ends(leaves.ends(), marks));
  }

  private SessionFacts read(ArchivedFile file, HistoryManifest manifest, RecordPlacement records)
      throws IOException {
    TranscriptReader reader = profile.reader(file.slot());
    describe(reader, manifest);
    StoredContent content = file.content();
    TranscriptParts parts = new TranscriptParts(store, content, fresh);
    try (LineReader lines =
        file.kind()
            .records(
                new LineReader(parts.stream(), content.sizeBytes(), LINE_BYTES_MAX, -1, _ -> {})
                    .unhashed())) {
      long number = 0;
      while (lines.next()) {
        if (lines.number() == 1 && number == 0) {
          firstLine(lines, reader, records);
        }
        number = line(lines, parts.kept(lines), number, reader, records);
      }
      if (number == 0) { // an empty file
        reader.begin();
        records.begin();
      }
      if (lines.torn()) {
        records.torn();
      }
    }
    reader.end(records);
    records.finish();
    SessionFacts facts = reader.facts();
    marks.put(file.slot(), mark(reader, records, facts));
    return facts;
  }

  static ViewMark mark(TranscriptReader reader, RecordPlacement records, SessionFacts facts) {
    Optional<List<PlacedRecord>> recent = records.recent();
    return new ViewMark(
        records.counts(),
        facts.usage().size(),
        recent.orElse(List.of()),
        recent.isPresent() ? reader.state() : Optional.empty());
  }

  private void describe(TranscriptReader reader, HistoryManifest manifest) {
    for (ArchivedFile file : manifest.files()) {
      if (file.kind().isDescription() && file.sizeBytes() <= DESCRIPTION_BYTES_MAX) {
        byte[] content = store.get(file.content().hash()).unsafeArray();
        reader.describe(manifest.key(), file.slot(), content);
      }
    }
  }

  private void firstLine(LineReader lines, TranscriptReader reader, RecordPlacement records)
      throws IOException {
    Optional<BasePoint> point =
        lines.whole() ? reader.base(TranscriptLines.of(lines, profile)) : Optional.empty();
    if (point.isPresent()) {
      base = point.get().key();
      replay(point.get(), reader, records, BASES_MAX);
    }
    reader.begin();
    records.begin();
  }

  /// Reads the history of another session up to a point.
  private void replay(
      BasePoint point, TranscriptReader reader, RecordPlacement records, int depthMax)
      throws IOException {
    Optional<StoredContent> content =
        HistoryVersions.find(store, profile.agent(), point.key())
            .flatMap(HistoryVersions::newestManifest)
            .flatMap(manifest -> manifest.find(HistoryFile.MAIN))
            .map(ArchivedFile::content);
    if (depthMax == 0 || content.isEmpty() || content.get().sizeBytes() < point.endBytes()) {
      problems.add(1, "the session that it goes on from, " + point.key() + ", is not archived");
      whole = false;
      return;
    }
    try (LineReader lines =
        ArchivedLines.lines(store, content.get(), point.endBytes(), LINE_BYTES_MAX)) {
      long number = 0;
      while (lines.next()) {
        if (number == 0 && lines.whole()) {
          Optional<BasePoint> before = reader.base(TranscriptLines.of(lines, profile));
          if (before.isPresent()) {
            replay(before.get(), reader, records, depthMax - 1);
          }
        }
        number = line(lines, null, number, reader, records);
      }
    }
  }

  /// @param kept of the line, if that is known
  /// @return the line's number
  private long line(
      LineReader lines,
      @Nullable Payload kept,
      long before,
      TranscriptReader reader,
      RecordPlacement records) {
    records.at(lines.number());
    if (lines.whole() && kept != null) {
      TranscriptLines.read(TranscriptLines.of(lines, kept), lines.between(), reader, records);
    } else if (lines.whole()) {
      TranscriptLines.read(lines, profile, reader, records);
    } else if (lines.number() > before) {
      records.unreadable("longer than a turn may be; kept as bytes");
    }
    return lines.number();
  }

  static SessionAbout.View view(
      ArchivedFile file, HistoryManifest manifest, SessionFacts facts, long turns) {
    return new SessionAbout.View(
        facts.session().isEmpty() ? manifest.key() : facts.session(),
        file.name(),
        facts.folder(),
        facts.title(),
        facts.link(),
        file.slot().equals(HistoryFile.MAIN) ? manifest.sizeBytes() : file.content().sizeBytes(),
        turns,
        unixMs(facts.firstAt()),
        unixMs(facts.lastAt()));
  }

  private static long unixMs(@Nullable Instant at) {
    return at == null ? 0 : Math.max(0, at.toEpochMilli());
  }
}
