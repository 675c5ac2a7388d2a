// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Describes a context that came from Pi: the JSON in its `about` blob
/// (docs/format/pi-manifest.md).
public sealed interface PiAbout {

  /// The kind of a context whose head is a leaf.
  String LEAF = "pi.session";

  /// The kind of a context with manifests.
  String MANIFEST = "pi.manifest";

  /// The facts of a session that all its contexts share.
  ///
  /// @param id from the header; empty if the file has none
  /// @param file the file's name, as it was imported. Comes from outside: never use it as a path
  ///   unchecked
  /// @param cwd from the header: the folder the session worked in; empty if there is none
  /// @param title the name the session was given, else how its first prompt begins; may be empty
  record Session(String id, String file, String cwd, String title) {
    private AboutWriter write(String kind) {
      return new AboutWriter(kind)
          .text("session", id)
          .text("file", file)
          .text("cwd", cwd)
          .text("title", title);
    }
  }

  /// A version of a session file.
  ///
  /// @param manifest the turn with the manifest that describes the file
  /// @param sizeBytes of the file
  /// @param hash of the file
  record FileVersion(TurnId manifest, long sizeBytes, BlobHash hash) {

    /// True if this version is a file of this size and hash.
    boolean is(long fileSizeBytes, BlobHash fileHash) {
      return sizeBytes == fileSizeBytes && hash.equals(fileHash);
    }
  }

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
  /// @param version the newest version of the session
  /// @param entries how many different entries the file has
  /// @param started the time in the header; empty if there is none
  /// @param parentSession the path in the header of the session that this one was forked from;
  ///   empty if there is none
  /// @param contexts all contexts of the session's leaves, those of earlier versions too
  /// @param previous the `about` of the version before; null for the first
  record Whole(
      Session session,
      FileVersion version,
      long entries,
      String started,
      String parentSession,
      List<ContextId> contexts,
      @Nullable BlobHash previous)
      implements PiAbout {
    public Whole {
      contexts = List.copyOf(contexts);
    }

    /// The turn of the newest manifest.
    public TurnId manifest() {
      return version.manifest;
    }

    Whole withContexts(List<ContextId> value) {
      return new Whole(session, version, entries, started, parentSession, value, previous);
    }

    Whole withPrevious(@Nullable BlobHash about) {
      return new Whole(session, version, entries, started, parentSession, contexts, about);
    }
  }

  /// Reads an `about` blob; empty if the context did not come from Pi.
  static Optional<PiAbout> read(Payload about) {
    try {
      return AboutFields.read(about).flatMap(PiAbout::of);
    } catch (StoreException.Invalid | NumberFormatException e) {
      return Optional.empty(); // fields of another program
    }
  }

  private static Optional<PiAbout> of(AboutFields fields) {
    Session session =
        new Session(
            fields.text("session"), fields.text("file"), fields.text("cwd"), fields.text("title"));
    return switch (fields.text("kind")) {
      case LEAF ->
          Optional.of(
              new Branch(
                  session,
                  Integer.parseInt(fields.text("entries")),
                  fields.text("leaf"),
                  ContextId.parse(fields.text("manifest_context")),
                  fields.find("former").map(TurnId::parse).orElse(null)));
      case MANIFEST ->
          Optional.of(
              new Whole(
                  session,
                  new FileVersion(
                      TurnId.parse(fields.text("manifest")),
                      Long.parseLong(fields.text("bytes")),
                      BlobHash.parse(fields.text("hash"))),
                  Long.parseLong(fields.text("entries")),
                  fields.text("started"),
                  fields.text("parent_session"),
                  fields.list("contexts").stream().map(ContextId::parse).toList(),
                  fields.find("previous").map(BlobHash::parse).orElse(null)));
      default -> Optional.empty();
    };
  }

  /// The bytes of the blob: the same facts always give the same bytes.
  default Payload payload() {
    return switch (this) {
      case Branch branch ->
          branch
              .session
              .write(LEAF)
              .number("entries", branch.entries)
              .text("leaf", branch.leaf)
              .id("manifest_context", branch.manifestContext)
              .idIfAny("former", branch.former)
              .payload();
      case Whole whole ->
          whole
              .session
              .write(MANIFEST)
              .id("manifest", whole.version.manifest)
              .number("bytes", whole.version.sizeBytes)
              .id("hash", whole.version.hash)
              .number("entries", whole.entries)
              .text("started", whole.started)
              .text("parent_session", whole.parentSession)
              .ids("contexts", whole.contexts)
              .idIfAny("previous", whole.previous)
              .payload();
    };
  }
}
