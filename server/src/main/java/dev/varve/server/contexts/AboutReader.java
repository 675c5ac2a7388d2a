// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.value.Bounds;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.Value;
import org.jspecify.annotations.Nullable;

/// Reads the blob that describes a context: by convention a JSON object with a `title`, a `kind`, a
/// `client_tag`.
///
/// @param isBookkeeping whether the kind says that the context holds no conversation
record AboutReader(@Nullable String clientTag, @Nullable String title, boolean isBookkeeping) {

  private static final AboutReader NOTHING = new AboutReader(null, null, false);
  private static final Bounds BOUNDS = new Bounds(32, 100_000, 1 << 20);

  private static @Nullable String said(String text) {
    String shown = text.substring(0, Math.min(text.length(), MetadataReader.TEXT_MAX));
    return shown.isEmpty() ? null : shown;
  }

  /// What is damaged, too large or somebody else's convention says nothing.
  static AboutReader of(@Nullable BlobHash about, Store store) {
    if (about == null) {
      return NOTHING;
    }
    try {
      Payload blob = store.get(about);
      if (!(JsonReader.read(blob, BOUNDS) instanceof Value.Entries object)) {
        return NOTHING;
      }
      String clientTag = "";
      String title = "";
      String kind = "";
      for (Value.Entry entry : object.entries()) {
        if (entry instanceof Value.Entry(Value.Text(String name), Value.Text(String text))) {
          clientTag = name.equals("client_tag") ? text : clientTag;
          title = name.equals("title") ? text.strip() : title;
          kind = name.equals("kind") ? text : kind;
        }
      }
      return new AboutReader(said(clientTag), said(title), kind.endsWith(".manifest"));
    } catch (StoreException.Invalid
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.NotFound e) {
      return NOTHING;
    }
  }
}
