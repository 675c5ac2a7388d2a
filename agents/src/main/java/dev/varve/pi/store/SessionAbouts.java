// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.imports.LeafContexts;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Describes the contexts of a session's leaves.
///
/// @param formerManifest the newest manifest before this import; null if there was none
record SessionAbouts(
    PiAbout.Session session, ContextId manifestContext, @Nullable TurnId formerManifest)
    implements LeafContexts.Abouts {

  @Override
  public Payload leaf(int turns, String leaf) {
    return new PiAbout.Branch(session, turns, leaf, manifestContext, null).payload();
  }

  @Override
  public Optional<Payload> former(Payload about) {
    return formerManifest != null
            && PiAbout.read(about).orElse(null) instanceof PiAbout.Branch branch
            && branch.former() == null
        ? Optional.of(branch.withFormer(formerManifest).payload())
        : Optional.empty();
  }
}
