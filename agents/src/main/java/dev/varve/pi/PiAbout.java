// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.TurnId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// What a context that came from Pi is about: the JSON in its `about` blob
/// (docs/format/pi-manifest.md).
public sealed interface PiAbout {

  /// The facts of a session that all its contexts share.
  ///
  /// @param id from the header; empty if the file has none
  /// @param file the file's name, as it was imported. Comes from outside: never use it as a path
  ///   unchecked
  /// @param cwd from the header: the folder the session worked in; empty if there is none
  /// @param title the name the session was given, else how its first prompt begins; may be empty
  record Session(String id, String file, String cwd, String title) {}

  Session session();

  /// A context whose head is a leaf of a session.
  ///
  /// @param entries how many turns lead from the root to the leaf, both counted
  /// @param leaf the id of the leaf's entry; empty if it has none
  /// @param manifestContext the context with the session's manifest
  /// @param former null while the leaf is one of the session's newest version; else the manifest of
  ///   the last version of which it was
  record Branch(
      Session session, int entries, String leaf, ContextId manifestContext, @Nullable TurnId former)
      implements PiAbout {

    Branch withFormer(TurnId manifest) {
      return new Branch(session, entries, leaf, manifestContext, manifest);
    }
  }

  /// A context with a session's manifests.
  ///
  /// @param manifest the turn of the newest one
  /// @param sizeBytes of the file it tells
  /// @param hash of that file
  /// @param entries how many of the file's lines are entries
  /// @param started what the header says; empty if nothing
  /// @param parentSession path of the session this one was forked from, as the header says; empty
  ///   if none
  /// @param contexts all contexts of the session's leaves, those of earlier versions too
  /// @param previous what was said here of the version before; null for the first
  record Whole(
      Session session,
      TurnId manifest,
      long sizeBytes,
      BlobHash hash,
      long entries,
      String started,
      String parentSession,
      List<ContextId> contexts,
      @Nullable BlobHash previous)
      implements PiAbout {

    public Whole {
      contexts = List.copyOf(contexts);
    }

    /// Whether the file it tells is this one.
    boolean tells(long fileSizeBytes, BlobHash fileHash) {
      return sizeBytes == fileSizeBytes && hash.equals(fileHash);
    }

    Whole withContexts(List<ContextId> value) {
      return new Whole(
          session, manifest, sizeBytes, hash, entries, started, parentSession, value, previous);
    }

    Whole withPrevious(@Nullable BlobHash about) {
      return new Whole(
          session, manifest, sizeBytes, hash, entries, started, parentSession, contexts, about);
    }
  }

  /// Reads an `about` blob; empty if it is about something else.
  static Optional<PiAbout> read(Payload about) {
    return PiAboutReader.read(about);
  }

  /// The bytes of the blob: the same facts always give the same bytes.
  default Payload payload() {
    return Payload.wrap(
        Json.write(
            json -> {
              json.writeStartObject();
              switch (this) {
                case Branch branch -> write(branch, json);
                case Whole whole -> write(whole, json);
              }
              json.writeEndObject();
            }));
  }

  private static void write(Branch branch, JsonGenerator json) {
    json.writeStringProperty("kind", "pi.session");
    write(branch.session, json);
    json.writeNumberProperty("entries", branch.entries);
    json.writeStringProperty("leaf", branch.leaf);
    json.writeStringProperty("manifest_context", branch.manifestContext.toString());
    if (branch.former != null) {
      json.writeStringProperty("former", branch.former.toString());
    }
  }

  private static void write(Whole whole, JsonGenerator json) {
    json.writeStringProperty("kind", "pi.manifest");
    write(whole.session, json);
    json.writeStringProperty("manifest", whole.manifest.toString());
    json.writeNumberProperty("bytes", whole.sizeBytes);
    json.writeStringProperty("hash", whole.hash.toString());
    json.writeNumberProperty("entries", whole.entries);
    json.writeStringProperty("started", whole.started);
    json.writeStringProperty("parent_session", whole.parentSession);
    json.writeArrayPropertyStart("contexts");
    whole.contexts.forEach(context -> json.writeString(context.toString()));
    json.writeEndArray();
    if (whole.previous != null) {
      json.writeStringProperty("previous", whole.previous.toString());
    }
  }

  private static void write(Session session, JsonGenerator json) {
    json.writeStringProperty("session", session.id);
    json.writeStringProperty("file", session.file);
    json.writeStringProperty("cwd", session.cwd);
    json.writeStringProperty("title", session.title);
  }
}
