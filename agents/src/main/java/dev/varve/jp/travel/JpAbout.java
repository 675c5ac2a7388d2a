// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import java.util.Optional;

/// Describes a context of a conversation or of its manifests: the JSON in the context's `about`
/// blob.
///
/// @param kind [#CONVERSATION], or [#MANIFEST] for the context with the manifests
/// @param cwd the folder of the project that the conversation is about; empty if none is known
/// @param manifest the turn with the newest manifest
/// @param other of a conversation, the context of its manifests; of manifests, the context of the
///   conversation
record JpAbout(
    String kind, String title, String conversation, String cwd, TurnId manifest, ContextId other) {

  static final String CONVERSATION = "jp.conversation";
  static final String MANIFEST = "jp.manifest";

  Payload payload() {
    return new AboutWriter(kind)
        .text("title", title)
        .text("conversation", conversation)
        .text("cwd", cwd)
        .id("manifest", manifest)
        .id("other", other)
        .payload();
  }

  /// Reads an `about` blob; empty if the context is no context of JP.
  static Optional<JpAbout> read(Payload about) {
    try {
      return AboutFields.read(about)
          .filter(
              fields ->
                  fields.text("kind").equals(CONVERSATION) || fields.text("kind").equals(MANIFEST))
          .map(
              fields ->
                  new JpAbout(
                      fields.text("kind"),
                      fields.text("title"),
                      fields.text("conversation"),
                      fields.text("cwd"),
                      TurnId.parse(fields.text("manifest")),
                      ContextId.parse(fields.text("other"))));
    } catch (StoreException.Invalid e) {
      return Optional.empty(); // fields of another program
    }
  }
}
