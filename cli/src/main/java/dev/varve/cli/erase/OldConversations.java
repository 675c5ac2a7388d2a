// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.cli.store.AllContexts;
import dev.varve.cli.store.ContextDescription;
import dev.varve.cli.store.ContextFilter;
import dev.varve.cli.store.ConversationActivity;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The choice of contexts whose conversations were last active before a time.
final class OldConversations {

  private final Store store;

  OldConversations(Store store) {
    this.store = store;
  }

  /// An age that conversations may have.
  ///
  /// @param end the time before which a conversation was last active
  /// @param project empty for all projects
  record Age(Instant end, String project) {

    private boolean isReached(Instant activeAt, ContextDescription about) {
      return activeAt.isBefore(end)
          && (project.isEmpty() || ContextFilter.isProject(project, about));
    }
  }

  /// The contexts of the conversations that reached one of the ages.
  Set<ContextId> find(List<Age> ages) {
    Set<ContextId> chosen = new HashSet<>();
    if (ages.isEmpty()) {
      return chosen;
    }
    ConversationActivity activity = ConversationActivity.of(store);
    for (ContextHead context : new AllContexts(store, 100)) {
      ContextDescription about = ContextDescription.of(context, store);
      Instant activeAt = activity.lastAt(context, about);
      if (ages.stream().anyMatch(age -> age.isReached(activeAt, about))) {
        chosen.add(context.id());
      }
    }
    return chosen;
  }
}
