// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonStrings;
import dev.varve.jp.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What a context of a conversation, or of its manifests, is about: a JSON object.
///
/// @param kind [#CONVERSATION], or [#MANIFEST] for the context with the manifests
/// @param manifest the turn with the newest manifest
/// @param other of a conversation the context of its manifests, of manifests that of the
///   conversation
record JpAbout(String kind, String title, String conversation, TurnId manifest, String other) {

  static final String CONVERSATION = "jp.conversation";
  static final String MANIFEST = "jp.manifest";

  private static final int SIZE_BYTES_MAX = 1 << 20;

  Payload payload() {
    return Payload.utf8(
        "{\"kind\":"
            + quote(kind)
            + ",\"title\":"
            + quote(title)
            + ",\"conversation\":"
            + quote(conversation)
            + ",\"manifest\":"
            + quote(manifest.toString())
            + ",\"other\":"
            + quote(other)
            + "}");
  }

  private static String quote(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new String(JsonStrings.quote(utf8), StandardCharsets.UTF_8);
  }

  /// Empty if the context is about something else.
  static Optional<JpAbout> of(Store store, ContextHead context) {
    if (context.about() == null) {
      return Optional.empty();
    }
    Payload about = store.get(context.about());
    if (about.sizeBytes() > SIZE_BYTES_MAX
        || !(JsonReading.of(about.unsafeArray()) instanceof JsonText json)) {
      return Optional.empty();
    }
    String kind = json.memberText(0, "kind").orElse("");
    String manifest = json.memberText(0, "manifest").orElse("");
    if (!kind.equals(CONVERSATION) && !kind.equals(MANIFEST) || !manifest.matches("[0-9]{1,19}")) {
      return Optional.empty();
    }
    return Optional.of(
        new JpAbout(
            kind,
            json.memberText(0, "title").orElse(""),
            json.memberText(0, "conversation").orElse(""),
            TurnId.parse(manifest),
            json.memberText(0, "other").orElse("")));
  }
}
