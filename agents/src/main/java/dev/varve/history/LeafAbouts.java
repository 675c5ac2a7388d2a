// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import dev.varve.imports.LeafContexts;
import java.util.Map;
import java.util.Optional;

/// Describes the contexts of a session's leaves.
///
/// @param views of the session's transcripts, by their slots
/// @param manifestContext the context with the session's manifests
record LeafAbouts(String agent, Map<String, SessionAbout.View> views, ContextId manifestContext)
    implements LeafContexts.Abouts {

  private static final String MANIFEST_CONTEXT = "manifest_context";

  @Override
  public Payload leaf(int turns, String leaf) {
    LeafName name = LeafName.parse(leaf);
    SessionAbout.View view = views.get(name.slot());
    if (view == null) {
      throw new AssertionError("no view of " + name.slot());
    }
    AboutWriter about =
        view.write(SessionAbout.leafKind(agent), agent)
            .text("slot", name.slot())
            .text("leaf", name.id())
            .number("turns", turns);
    return about.id(MANIFEST_CONTEXT, manifestContext).payload();
  }

  /// A leaf that a later version of the session left stays described as it was.
  @Override
  public Optional<Payload> former(Payload about) {
    return Optional.empty();
  }

  /// The context with the manifests of the session to which a leaf's context belongs.
  static Optional<ContextId> manifestContext(Payload about) {
    return AboutFields.read(about)
        .flatMap(fields -> fields.find(MANIFEST_CONTEXT))
        .map(ContextId::parse);
  }
}
