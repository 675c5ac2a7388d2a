// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.TurnId;
import dev.varve.server.query.TextField;
import dev.varve.server.value.PayloadValue;
import org.jspecify.annotations.Nullable;

/// The facts about a context that the index remembers.
///
/// @param metadata of the context's first own turn; before there is one, of the turn that the
///   context was forked from
/// @param isOwn whether the context has a turn of its own, so that `metadata` is final
/// @param head the head of the context when the entry was made
/// @param about the blob that `described` was read from; null if there was none
/// @param described the content of the `about` blob
/// @param parentByFork the context of the turn that this one was forked from; null if this one is
///   no fork
record ContextEntry(
    ContextMetadata metadata,
    boolean isOwn,
    TurnId head,
    @Nullable BlobHash about,
    AboutReader described,
    @Nullable Long parentByFork) {

  private static final int BYTES_PER_OBJECT = 40;

  /// The client tag in the metadata, otherwise the one in the `about` blob.
  @Nullable String shownTag() {
    return metadata.clientTag() == null ? described.clientTag() : metadata.clientTag();
  }

  /// The title in the metadata, otherwise the one in the `about` blob.
  @Nullable String shownTitle() {
    return metadata.title() == null ? described.title() : metadata.title();
  }

  /// A text of the context, if no client writes to it now.
  @Nullable String text(TextField field) {
    return switch (field) {
      case TAG -> shownTag();
      case TITLE -> shownTitle();
      case USER -> said(Provenance.Key.ON_BEHALF_OF);
      case SERVICE -> said(Provenance.Key.SERVICE_NAME);
      case HOST -> said(Provenance.Key.HOST_NAME);
      case TRACE_ID -> said(Provenance.Key.TRACE_ID);
    };
  }

  private @Nullable String said(Provenance.Key key) {
    Provenance provenance = metadata.provenance();
    return provenance == null ? null : provenance.text(key);
  }

  /// Returns whether the context holds a program's notes and no conversation.
  boolean isBookkeeping() {
    return described.isBookkeeping();
  }

  /// The parent context: the declared one, otherwise the one that this context was forked from.
  @Nullable Long parent() {
    return metadata.parent() == null ? parentByFork : metadata.parent();
  }

  /// This entry with other metadata.
  ContextEntry saying(ContextMetadata other) {
    return new ContextEntry(other, isOwn, head, about, described, parentByFork);
  }

  /// The approximate memory of the texts from the `about` blob.
  int textBytes() {
    return described.characters();
  }

  /// The approximate memory of the entry.
  int weightBytes() {
    int characters = length(metadata.clientTag()) + length(metadata.title()) + textBytes();
    int objects = 8;
    for (String label : metadata.labels()) {
      characters += label.length();
      objects++;
    }
    if (metadata.provenance() != null) {
      objects += 4;
      for (PayloadValue value : metadata.provenance().values().values()) {
        objects += 2;
        characters += characters(value);
      }
    }
    return characters + BYTES_PER_OBJECT * objects;
  }

  private static int characters(PayloadValue value) {
    return switch (value) {
      case PayloadValue.Text(String text) -> text.length();
      case PayloadValue.Entries map -> {
        int characters = 0;
        for (PayloadValue.Entry entry : map.entries()) {
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
