// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.cli.store.AllContexts;
import dev.varve.cli.store.ContextDescription;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The snapshots in git that only sessions of Pi in chosen contexts name.
final class SessionSnapshots {

  /// The type of the entries in which a session names snapshots.
  private static final String MARK = "\"rewind-";

  private static final Pattern NAME = Pattern.compile("\"([0-9a-f]{64}|[0-9a-f]{40})\"");

  private final Store store;
  private final Instant now;

  SessionSnapshots(Store store, Instant now) {
    this.store = store;
    this.now = now;
  }

  /// The names of the snapshots that belong to contexts. A snapshot that another context of the
  /// same folder names, or a context under a hold, belongs to that one too, and is not among them.
  Set<String> of(Set<ContextId> chosen) {
    Set<ContextId> going = new HashSet<>(chosen);
    store.holds().all().stream()
        .filter(hold -> hold.lastsAt(now))
        .forEach(hold -> going.remove(hold.context()));
    Set<String> folders = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (ContextId context : going) {
      ContextHead head = store.head(context);
      ContextDescription description = ContextDescription.of(head, store);
      if (isSession(description) && names.addAll(named(context))) {
        folders.add(description.folder());
      }
    }
    if (!names.isEmpty()) {
      for (ContextHead other : new AllContexts(store, 100)) {
        if (!going.contains(other.id())) {
          ContextDescription description = ContextDescription.of(other, store);
          if (isSession(description) && folders.contains(description.folder())) {
            names.removeAll(named(other.id()));
          }
        }
      }
    }
    return names;
  }

  private static boolean isSession(ContextDescription description) {
    return description.kind().startsWith("pi.");
  }

  private Set<String> named(ContextId context) {
    Set<String> names = new HashSet<>();
    store
        .turns(context)
        .map(Turn::payload)
        .filter(payload -> payload != null)
        .forEach(payload -> add(payload, names));
    return names;
  }

  private static void add(Payload payload, Set<String> names) {
    String text = new String(payload.unsafeArray(), ISO_8859_1);
    if (text.contains(MARK)) {
      Matcher name = NAME.matcher(text);
      while (name.find()) {
        names.add(name.group(1));
      }
    }
  }
}
