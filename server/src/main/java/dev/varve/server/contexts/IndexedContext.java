// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.server.query.SearchableContext;
import dev.varve.server.query.TextField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A context for a query. Its metadata is read when the query gets that far.
final class IndexedContext implements SearchableContext {

  private final ContextHead head;
  private final ContextIndex index;
  private final LiveSessions sessions;
  private @Nullable ContextEntry entry;

  IndexedContext(ContextHead head, ContextIndex index, LiveSessions sessions) {
    this.head = head;
    this.index = index;
    this.sessions = sessions;
  }

  ContextEntry entry() {
    ContextEntry known = entry;
    if (known == null) {
      known = index.entryOnWalk(head);
      entry = known;
    }
    return known;
  }

  @Override
  public long contextId() {
    return head.id().value();
  }

  @Override
  public int headDepth() {
    return head.headDepth();
  }

  @Override
  public long createdAtUnixMs() {
    return head.createdAt().toEpochMilli();
  }

  @Override
  public boolean isLive() {
    return sessions.isLive(head.id());
  }

  @Override
  public @Nullable String text(TextField field) {
    return field == TextField.TAG ? shownTag() : entry().text(field);
  }

  /// The tag as lists show it: the declared one, otherwise that of the client that writes to the
  /// context.
  private @Nullable String shownTag() {
    if (entry().shownTag() != null) {
      return entry().shownTag();
    }
    String tag = sessions.of(head.id()).map(session -> session.clientTag()).orElse("");
    return tag.isEmpty() ? null : tag;
  }

  @Override
  public List<String> labels() {
    return entry().metadata().labels();
  }

  @Override
  public @Nullable Long parent() {
    return entry().metadata().parent();
  }

  @Override
  public @Nullable Long root() {
    return entry().metadata().root();
  }
}
