// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.history.SessionArchive.FileChange;
import dev.varve.history.bytes.FreshLines;
import dev.varve.history.marks.FileMark;
import dev.varve.history.marks.MarkDraft;
import dev.varve.history.marks.SessionMarks;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.ManifestContext;
import dev.varve.imports.ManifestPlace;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.SourceImport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Brings the sessions of one agent into a store. Files are only read.
///
/// Everything is written in an order in which each step may be the last: the bytes, the manifest,
/// the turns, the contexts of the leaves, and at the end the `about` of the session's context,
/// which makes the import count. The next import finds what is there and goes on.
public final class HistoryImport implements SourceImport {

  private final Store store;
  private final HistoryProfile profile;
  private final InstantSource clock;

  public HistoryImport(Store store, HistoryProfile profile, InstantSource clock) {
    this.store = store;
    this.profile = profile;
    this.clock = clock;
  }

  /// Imports the session to which a file belongs.
  @Override
  public ImportReport read(Path source, ImportListener listener) throws IOException {
    return session(profile.session(source), listener);
  }

  /// Imports one session; adds what is new and nothing else.
  ///
  /// @throws StoreException.Invalid if the transcript is of another format, or nothing in it is
  ///   understood; the store is as it was
  /// @throws IOException if a file cannot be read
  public ImportReport session(SessionFiles session, ImportListener listener) throws IOException {
    Optional<HistoryVersions> versions =
        HistoryVersions.find(store, profile.agent(), session.key());
    SessionAbout newest = versions.map(HistoryVersions::newest).orElse(null);
    SessionFiles.Stamps stamps = session.stamps();
    boolean known = newest != null && newest.profileVersion() == profile.version();
    if (known
        && versions.isPresent()
        && newest != null
        && newest.isOf(stamps.text(), clock.instant())) {
      return unchanged(session, versions.get(), newest, Outcome.UNCHANGED);
    }
    HistoryManifest before = versions.flatMap(HistoryVersions::newestManifest).orElse(null);
    if (known && newest != null && before != null) {
      Optional<ImportReport> grown = grown(session, newest, before, stamps);
      if (grown.isPresent()) {
        return grown.get();
      }
    }
    try (InputStream content = session.main().open()) {
      TranscriptRecognition.demand(profile, session.main(), content);
    }
    SessionArchive archive = new SessionArchive(store, profile, listener, before);
    HistoryManifest manifest = archive.write(session, stamps.bySlot());
    List<ContextId> contexts = newest == null ? List.of() : newest.contexts();
    return write(
        session,
        manifest,
        archive.change(),
        new Looked(stamps, draft(session, archive, stamps), null),
        context ->
            new ViewDerivation(store, profile, context, archive.fresh())
                .derive(manifest, contexts));
  }

  /// Imports the new lines of a session only; empty if these lines are not enough.
  private Optional<ImportReport> grown(
      SessionFiles session, SessionAbout newest, HistoryManifest known, SessionFiles.Stamps stamps)
      throws IOException {
    BlobHash blob = newest.source().marks();
    Optional<SessionMarks> marks = blob == null ? Optional.empty() : SessionMarks.find(store, blob);
    if (marks.isEmpty()) {
      return Optional.empty();
    }
    GrownSession grown = new GrownSession(store, profile, known, marks.get(), clock.instant());
    Optional<HistoryManifest> manifest = grown.write(session, stamps.bySlot());
    GrownView view = new GrownView(store, profile, newest, known, grown);
    if (manifest.isEmpty() || !view.isSure()) {
      return Optional.empty();
    }
    return Optional.of(
        write(
            session,
            manifest.get(),
            FileChange.GROWN,
            new Looked(stamps, grown.draft(), marks.get()),
            context -> view.derive(manifest.get(), context)));
  }

  /// The marks of files that were read as a whole.
  private MarkDraft draft(
      SessionFiles session, SessionArchive archive, SessionFiles.Stamps stamps) {
    MarkDraft draft = new MarkDraft(clock.instant().toEpochMilli());
    for (HistoryFile file : session.files()) {
      FileStamp stamp = stamps.bySlot().get(file.slot());
      if (stamp != null) {
        boolean settled = stamp.isSettled(clock.instant());
        draft.add(
            FileMark.of(file.slot(), stamp.text(), stamp.inode(), settled),
            archive.behind(file.slot()));
      }
    }
    return draft;
  }

  /// The files as an import read them.
  ///
  /// @param before the marks of the last import; null if the files were read as a whole
  private record Looked(
      SessionFiles.Stamps stamps, MarkDraft draft, @Nullable SessionMarks before) {}

  /// Makes the view of a session.
  private interface Deriving {
    DerivedView derive(ManifestContext context) throws IOException;
  }

  private ImportReport write(
      SessionFiles session,
      HistoryManifest manifest,
      FileChange change,
      Looked looked,
      Deriving deriving)
      throws IOException {
    HistoryVersions versions = HistoryVersions.findOrCreate(store, profile.agent(), session.key());
    TurnId turn = manifest.addTo(versions.context());
    SessionAbout newest = versions.newest();
    boolean same = newest != null && newest.manifest().equals(turn);
    if (same && newest != null && newest.profileVersion() == profile.version()) {
      SessionAbout.Source source = source(looked, newest);
      if (!newest.source().equals(source)) {
        versions.replace(newest.withSource(source));
      }
      Outcome outcome = change == FileChange.OLDER ? Outcome.OLDER : Outcome.UNCHANGED;
      return unchanged(session, versions, newest, outcome);
    }
    DerivedView view = deriving.derive(versions.context());
    SessionAbout about = about(view, turn, source(looked, view));
    if (same) {
      versions.replace(about);
    } else {
      versions.add(about);
    }
    return report(session.main().path(), versions, view, turn, outcome(newest, change));
  }

  /// The files of a version with a new view. What has problems is read as a whole each time, so
  /// that all of them are reported.
  private SessionAbout.Source source(Looked looked, DerivedView view) {
    DerivedView.Ends ends = view.ends();
    return profile.appendsOnly() && view.whole() && view.problems().count() == 0
        ? source(looked, looked.draft().marks(store, ends.contexts(), ends.transcripts()))
        : SessionAbout.Source.whole(settled(looked));
  }

  /// The files of a version that stays.
  private SessionAbout.Source source(Looked looked, SessionAbout newest) {
    SessionMarks before = looked.before();
    return before == null
        ? new SessionAbout.Source(settled(looked), 0, newest.source().marks())
        : source(looked, looked.draft().marks(store, before.ends(), Map.of()));
  }

  private SessionAbout.Source source(Looked looked, SessionMarks marks) {
    long joinedAtUnixMs = marks.isJoined() ? marks.wholeAtUnixMs() : 0;
    return new SessionAbout.Source(settled(looked), joinedAtUnixMs, marks.put(store));
  }

  private String settled(Looked looked) {
    return looked.stamps().isSettled(clock.instant()) ? looked.stamps().text() : "";
  }

  /// Makes the view of a session again from what is archived; the source is not needed.
  ///
  /// @return empty if the view is that of this version of the profile
  public Optional<ImportReport> derive(ArchivedSession session) throws IOException {
    SessionAbout newest = session.about();
    if (newest.profileVersion() == profile.version()) {
      return Optional.empty();
    }
    DerivedView view =
        new ViewDerivation(store, profile, session.versions().context(), FreshLines.NONE)
            .derive(session.manifest(), newest.contexts());
    session.versions().replace(about(view, newest.manifest(), newest.source().withoutMarks()));
    return Optional.of(
        report(session.source(), session.versions(), view, newest.manifest(), Outcome.GROWN));
  }

  private SessionAbout about(DerivedView view, TurnId manifest, SessionAbout.Source source) {
    return new SessionAbout(
        profile.agent(),
        view.main(),
        manifest,
        view.whole() ? profile.version() : 0,
        source,
        view.base(),
        view.contexts().all(),
        view.usage(),
        null);
  }

  private static Outcome outcome(@Nullable SessionAbout newest, FileChange change) {
    if (newest == null) {
      return Outcome.NEW;
    }
    return switch (change) {
      case REWRITTEN -> Outcome.REWRITTEN;
      case GROWN, NONE -> Outcome.GROWN;
      case OLDER -> Outcome.OLDER;
    };
  }

  private static ImportReport report(
      Path source, HistoryVersions versions, DerivedView view, TurnId manifest, Outcome outcome) {
    return new ImportReport(
        source,
        outcome,
        view.main().session(),
        view.main().title(),
        view.main().sizeBytes(),
        new ManifestPlace(versions.context().id(), manifest),
        view.counts(),
        view.contexts(),
        view.problems());
  }

  private static ImportReport unchanged(
      SessionFiles session, HistoryVersions versions, SessionAbout newest, Outcome outcome) {
    return new ImportReport(
        session.main().path(),
        outcome,
        newest.view().session(),
        newest.view().title(),
        newest.view().sizeBytes(),
        new ManifestPlace(versions.context().id(), newest.manifest()),
        RecordCounts.unchanged(newest.view().turns()),
        ContextChanges.unchanged(newest.contexts()),
        ProblemSummary.NONE);
  }
}
