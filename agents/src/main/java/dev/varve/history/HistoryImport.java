// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.ManifestPlace;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.SourceImport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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
    if (versions.isPresent()
        && newest != null
        && newest.stamps().equals(stamps.text())
        && newest.profileVersion() == profile.version()) {
      return unchanged(session, versions.get(), newest, Outcome.UNCHANGED);
    }
    try (InputStream content = FileContents.open(session.main())) {
      TranscriptRecognition.demand(profile, session.main(), content);
    }
    HistoryManifest known = versions.flatMap(HistoryVersions::newestManifest).orElse(null);
    SessionArchive archive = new SessionArchive(store, profile, listener, known);
    HistoryManifest manifest = archive.write(session, stamps.bySlot());
    String settled = stamps.isSettled(clock.instant()) ? stamps.text() : "";
    return write(session, manifest, archive.change(), settled);
  }

  private ImportReport write(
      SessionFiles session, HistoryManifest manifest, FileChange change, String stamps)
      throws IOException {
    HistoryVersions versions = HistoryVersions.findOrCreate(store, profile.agent(), session.key());
    TurnId turn = manifest.addTo(versions.context());
    SessionAbout newest = versions.newest();
    boolean same = newest != null && newest.manifest().equals(turn);
    if (same && newest != null && newest.profileVersion() == profile.version()) {
      if (!newest.stamps().equals(stamps)) {
        versions.replace(newest.withStamps(stamps));
      }
      Outcome outcome = change == FileChange.OLDER ? Outcome.OLDER : Outcome.UNCHANGED;
      return unchanged(session, versions, newest, outcome);
    }
    DerivedView view =
        new ViewDerivation(store, profile, versions.context())
            .derive(manifest, newest == null ? List.of() : newest.contexts());
    SessionAbout about = about(view, turn, stamps);
    if (same) {
      versions.replace(about);
    } else {
      versions.add(about);
    }
    return report(session.main().path(), versions, view, turn, outcome(newest, change));
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
        new ViewDerivation(store, profile, session.versions().context())
            .derive(session.manifest(), newest.contexts());
    session.versions().replace(about(view, newest.manifest(), newest.stamps()));
    return Optional.of(
        report(session.source(), session.versions(), view, newest.manifest(), Outcome.GROWN));
  }

  private SessionAbout about(DerivedView view, TurnId manifest, String stamps) {
    return new SessionAbout(
        profile.agent(),
        view.main(),
        manifest,
        view.whole() ? profile.version() : 0,
        stamps,
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
