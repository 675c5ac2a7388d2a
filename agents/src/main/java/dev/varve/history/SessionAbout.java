// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.history.marks.SessionMarks;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The newest version of a session, as the `about` of its manifest's context describes it
/// (docs/format/history-manifest.md).
///
/// @param agent the name of the session's agent
/// @param view the conversation, made from its records
/// @param manifest the turn with the manifest
/// @param profileVersion the version of the profile that made the view
/// @param source the files as they were
/// @param base the key of the session that this session continues; empty for none
/// @param contexts the contexts of the session's leaves
/// @param usage the blob with the usage of each response, or null
/// @param previous the `about` of the version before, or null
public record SessionAbout(
    String agent,
    View view,
    TurnId manifest,
    int profileVersion,
    Source source,
    String base,
    List<ContextId> contexts,
    @Nullable BlobHash usage,
    @Nullable BlobHash previous) {

  /// The files of a session when they were archived.
  ///
  /// @param stamps the stamps of the files, as text; empty if a file might change without changing
  ///   its stamp
  /// @param joinedAtUnixMs 0 if the version was read as a whole; else bytes of it were joined of
  ///   parts that were read at different times, and this is the last time at which all files were
  ///   read as a whole
  /// @param marks the blob with the marks from which the next import goes on, or null
  public record Source(String stamps, long joinedAtUnixMs, @Nullable BlobHash marks) {

    /// The same source, from which no import goes on.
    Source withoutMarks() {
      return new Source(stamps, joinedAtUnixMs, null);
    }

    /// A source that was read as a whole.
    static Source whole(String stamps) {
      return new Source(stamps, 0, null);
    }
  }

  /// The facts that all contexts of a session share.
  ///
  /// @param session the session's own id
  /// @param file the name of its transcript, relative to the agent's home
  /// @param sizeBytes the size of all files
  /// @param turns the records that are turns
  /// @param firstAtUnixMs the time of the first record; 0 if no record has one
  /// @param lastAtUnixMs the time of the last record; 0 if no record has one
  public record View(
      String session,
      String file,
      String folder,
      String title,
      String link,
      long sizeBytes,
      long turns,
      long firstAtUnixMs,
      long lastAtUnixMs) {

    View withSize(long bytes) {
      return new View(
          session, file, folder, title, link, bytes, turns, firstAtUnixMs, lastAtUnixMs);
    }

    AboutWriter write(String kind, String agent) {
      return new AboutWriter(kind)
          .text("agent", agent)
          .text("session", session)
          .text("file", file)
          .text("cwd", folder)
          .text("title", title)
          .text("link", link)
          .number("size_bytes", sizeBytes)
          .number("session_turns", turns)
          .number("started_at_unix_ms", firstAtUnixMs)
          .number("active_at_unix_ms", lastAtUnixMs);
    }
  }

  /// The kind of the context with a session's manifests.
  static String manifestKind(String agent) {
    return agent + ".manifest";
  }

  /// The kind of the context of a leaf.
  static String leafKind(String agent) {
    return agent + ".session";
  }

  Payload payload() {
    return view.write(manifestKind(agent), agent)
        .id("manifest", manifest)
        .number("profile", profileVersion)
        .text("stamps", source.stamps())
        .text("base", base)
        .ids("contexts", contexts)
        .numberIfAny("joined_at_unix_ms", source.joinedAtUnixMs())
        .idIfAny("marks", source.marks())
        .idIfAny("usage", usage)
        .idIfAny("previous", previous)
        .payload();
  }

  /// Says whether the files are those of this version, and need no look.
  ///
  /// @param stamps of the files as they are now
  boolean isOf(String stamps, Instant now) {
    long joinedAt = source.joinedAtUnixMs();
    return source.stamps().equals(stamps)
        && (joinedAt == 0 || SessionMarks.isTrusted(joinedAt, now));
  }

  SessionAbout withPrevious(@Nullable BlobHash before) {
    return new SessionAbout(
        agent, view, manifest, profileVersion, source, base, contexts, usage, before);
  }

  SessionAbout withSource(Source other) {
    return new SessionAbout(
        agent, view, manifest, profileVersion, other, base, contexts, usage, previous);
  }

  /// Reads an `about`; empty if it describes something else.
  public static Optional<SessionAbout> read(Payload about) {
    return AboutFields.read(about).flatMap(SessionAbout::of);
  }

  private static Optional<SessionAbout> of(AboutFields fields) {
    String agent = fields.text("agent");
    if (agent.isEmpty() || !fields.text("kind").equals(manifestKind(agent))) {
      return Optional.empty();
    }
    try {
      List<ContextId> contexts = new ArrayList<>();
      fields.list("contexts").forEach(id -> contexts.add(ContextId.parse(id)));
      return Optional.of(
          new SessionAbout(
              agent,
              view(fields),
              TurnId.parse(fields.text("manifest")),
              (int) number(fields, "profile"),
              new Source(
                  fields.text("stamps"),
                  number(fields, "joined_at_unix_ms"),
                  fields.find("marks").map(BlobHash::parse).orElse(null)),
              fields.text("base"),
              contexts,
              fields.find("usage").map(BlobHash::parse).orElse(null),
              fields.find("previous").map(BlobHash::parse).orElse(null)));
    } catch (StoreException.Invalid | NumberFormatException e) {
      return Optional.empty(); // somebody else's
    }
  }

  /// The facts in the `about` of a session, or of one of its leaves.
  ///
  /// @throws NumberFormatException if a number is none
  static View view(AboutFields fields) {
    return new View(
        fields.text("session"),
        fields.text("file"),
        fields.text("cwd"),
        fields.text("title"),
        fields.text("link"),
        number(fields, "size_bytes"),
        number(fields, "session_turns"),
        number(fields, "started_at_unix_ms"),
        number(fields, "active_at_unix_ms"));
  }

  private static long number(AboutFields fields, String name) {
    return Long.parseLong(fields.find(name).orElse("0"));
  }
}
