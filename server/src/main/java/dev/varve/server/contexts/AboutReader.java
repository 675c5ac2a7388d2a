// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import org.jspecify.annotations.Nullable;

/// The blob that describes a context: by convention a JSON object with a `title`, a `kind`, a
/// `client_tag`, and the `agent` and the folder (`cwd`) of the conversation.
///
/// @param agent the agent that held the conversation; without one, the first word of the kind
/// @param folder the folder in which the agent worked
/// @param isBookkeeping whether the kind declares that the context holds no conversation
record AboutReader(
    @Nullable String clientTag,
    @Nullable String title,
    @Nullable String agent,
    @Nullable String folder,
    boolean isBookkeeping) {

  static final AboutReader NOTHING = new AboutReader(null, null, null, null, false);
  private static final ValueBounds BOUNDS = new ValueBounds(32, 100_000, 1 << 20);

  private static @Nullable String said(String text) {
    String shown = text.substring(0, Math.min(text.length(), MetadataReader.TEXT_MAX));
    return shown.isEmpty() ? null : shown;
  }

  /// Reads the blob. A blob that is damaged, too large or of another convention counts as empty.
  static AboutReader of(@Nullable BlobHash about, Store store) {
    if (about == null) {
      return NOTHING;
    }
    try {
      Payload blob = store.get(about);
      if (!(JsonReader.read(blob, BOUNDS) instanceof PayloadValue.Entries object)) {
        return NOTHING;
      }
      String clientTag = "";
      String title = "";
      String kind = "";
      String agent = "";
      String folder = "";
      for (PayloadValue.Entry entry : object.entries()) {
        if (entry
            instanceof
            PayloadValue.Entry(PayloadValue.Text(String name), PayloadValue.Text(String text))) {
          clientTag = name.equals("client_tag") ? text : clientTag;
          title = name.equals("title") ? text.strip() : title;
          kind = name.equals("kind") ? text : kind;
          agent = name.equals("agent") ? text.strip() : agent;
          folder = name.equals("cwd") ? text : folder;
        }
      }
      return new AboutReader(
          said(clientTag),
          said(title),
          said(agent.isEmpty() ? kind.replaceFirst("\\..*", "") : agent),
          said(folder),
          kind.endsWith(".manifest"));
    } catch (StoreException.Invalid
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.NotFound e) {
      return NOTHING;
    }
  }

  /// The last name of the folder, which people call the project; null if no folder is known.
  @Nullable String project() {
    if (folder == null) {
      return null;
    }
    String path = folder.replaceFirst("[/\\\\]+$", "");
    return said(path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
  }

  /// The number of characters that are kept in memory.
  int characters() {
    return length(clientTag) + length(title) + length(agent) + length(folder);
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}
