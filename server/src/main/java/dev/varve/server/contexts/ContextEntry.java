// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.TurnId;
import dev.varve.server.value.Value;
import org.jspecify.annotations.Nullable;

/// What the index remembers of a context.
///
/// @param metadata of its first own turn; before it has one, of the turn it was forked from
/// @param isOwn whether it has a turn of its own, so that `metadata` is final
/// @param head where the context pointed when this was found
/// @param about the blob that the next three were read from; null if there was none
/// @param aboutTag the client tag that the `about` blob says; null if none
/// @param title what the `about` blob says; null if nothing
/// @param isBookkeeping whether the context holds no conversation but notes of a program
/// @param parentByFork the context of the turn it was forked from; null if it was forked from none
record ContextEntry(
    ContextMetadata metadata,
    boolean isOwn,
    TurnId head,
    @Nullable BlobHash about,
    @Nullable String aboutTag,
    @Nullable String title,
    boolean isBookkeeping,
    @Nullable Long parentByFork) {

  private static final int BYTES_PER_OBJECT = 40;

  /// What its writer calls itself in it, else in the `about` blob.
  @Nullable String shownTag() {
    return metadata.clientTag() == null ? aboutTag : metadata.clientTag();
  }

  /// What its writer calls it, else what the `about` blob does.
  @Nullable String shownTitle() {
    return metadata.title() == null ? title : metadata.title();
  }

  /// The context it comes from: as its writer says, else the one it was forked from.
  @Nullable Long parent() {
    return metadata.parent() == null ? parentByFork : metadata.parent();
  }

  /// This entry with other metadata.
  ContextEntry saying(ContextMetadata other) {
    return new ContextEntry(
        other, isOwn, head, about, aboutTag, title, isBookkeeping, parentByFork);
  }

  /// Roughly what texts take in memory that the `about` blob says.
  int textBytes() {
    return length(aboutTag) + length(title);
  }

  /// Roughly what it takes in memory.
  int weightBytes() {
    int characters = length(metadata.clientTag()) + length(metadata.title()) + textBytes();
    int objects = 8;
    for (String label : metadata.labels()) {
      characters += label.length();
      objects++;
    }
    if (metadata.provenance() != null) {
      objects += 4;
      for (Value value : metadata.provenance().values().values()) {
        objects += 2;
        characters += characters(value);
      }
    }
    return characters + BYTES_PER_OBJECT * objects;
  }

  private static int characters(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text.length();
      case Value.Entries map -> {
        int characters = 0;
        for (Value.Entry entry : map.entries()) {
          characters += 3 * BYTES_PER_OBJECT + characters(entry.key()) + characters(entry.value());
        }
        yield characters;
      }
      default -> 0;
    };
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}
