// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.imports.AboutFields;
import org.jspecify.annotations.Nullable;

/// The facts of a context that its description gives; an empty text where it gives none.
///
/// @param agent the agent whose conversation it is
/// @param project the last name of the folder in which the agent worked
/// @param branch the branch of git in that folder
/// @param session the agent's own id of the conversation
/// @param isBookkeeping whether the context holds an import's notes and no conversation
public record ContextFacts(
    String agent,
    String project,
    String folder,
    String branch,
    String session,
    String title,
    boolean isBookkeeping) {

  static final ContextFacts NONE = new ContextFacts("", "", "", "", "", "", false);

  /// Reads a description. A damaged one and that of another convention give nothing.
  static ContextFacts of(@Nullable BlobHash about, Store store) {
    if (about == null) {
      return NONE;
    }
    try {
      return AboutFields.read(store.get(about)).map(ContextFacts::of).orElse(NONE);
    } catch (StoreException.Corrupt | StoreException.NotFound | StoreException.TooLarge e) {
      return NONE;
    }
  }

  private static ContextFacts of(AboutFields about) {
    String kind = about.text("kind");
    String agent =
        about
            .find("agent")
            .or(() -> about.find("client_tag"))
            .orElse(kind.replaceFirst("\\..*", ""));
    String folder = about.text("cwd");
    String path = folder.replaceFirst("[/\\\\]+$", "");
    String session = about.find("session").orElse(about.text("conversation"));
    return new ContextFacts(
        agent,
        path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
        folder,
        about.find("branch").orElse(about.text("git_branch")),
        session,
        about.text("title").strip(),
        kind.endsWith(".manifest"));
  }
}
