// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All that a store holds, in words that can be compared.
///
/// @param facts by what they are about
/// @param blobs by their names
record StoreContent(Map<String, String> facts, Map<String, Payload> blobs) {

  static StoreContent of(LocalStore store, Set<BlobHash> names) {
    Map<String, String> facts = new TreeMap<>();
    CheckReport.NewestTurn newest = store.newestTurn();
    long turns = newest == null ? 0 : newest.id().value();
    for (long id = 1; id <= turns; id++) {
      addTurn(facts, store, new TurnId(id));
    }
    for (ContextHead head : store.contextsBelow(null, 20)) {
      facts.put("context " + head.id(), head.toString());
    }
    Map<String, Payload> blobs = new TreeMap<>();
    for (BlobHash name : names) {
      Payload content = content(store, name);
      if (content != null) {
        blobs.put(name.toString(), content);
      }
    }
    return new StoreContent(facts, blobs);
  }

  private static void addTurn(Map<String, String> facts, LocalStore store, TurnId id) {
    try {
      facts.put("turn " + id + " as written", describe(store.turn(id, View.AS_WRITTEN)));
      facts.put("turn " + id + " at last", describe(store.turn(id, View.LATEST)));
      facts.put("turn " + id + " overlays", store.overlays(id).toString());
    } catch (StoreException.NotFound e) {
      facts.put("turn " + id, "none");
    }
  }

  private static String describe(Turn turn) {
    return turn.toString();
  }

  private static @Nullable Payload content(LocalStore store, BlobHash name) {
    try (var in = store.read(name)) {
      return Payload.wrap(in.readAllBytes());
    } catch (StoreException.NotFound e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The content that must be left once these blobs are erased.
  StoreContent without(Set<BlobHash> erased) {
    Map<String, String> left = new TreeMap<>(facts);
    left.replaceAll((_, fact) -> erased.stream().anyMatch(h -> names(fact, h)) ? gone(fact) : fact);
    Map<String, Payload> kept = new TreeMap<>(blobs);
    erased.forEach(hash -> kept.remove(hash.toString()));
    return new StoreContent(left, kept);
  }

  private static boolean names(String fact, BlobHash hash) {
    return fact.contains("payloadHash=" + hash);
  }

  /// A turn without its payload, marked as a tombstone.
  private static String gone(String fact) {
    return fact.replaceFirst("tombstone=false", "tombstone=true")
        .replaceFirst("payload=(?!null).*\\]$", "payload=null]");
  }
}
