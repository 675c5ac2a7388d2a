// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.sim.ReferenceBlake3;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Turns and payloads that the chapters use.
final class Samples {

  static final DeclaredType MESSAGE = new DeclaredType("test.Message", 1);

  /// No blob has this name.
  static final BlobHash ABSENT_BLOB = new BlobHash(1, 2, 3, 4);

  /// No store in these tests gets so far.
  static final TurnId ABSENT_TURN = new TurnId(1L << 40);

  static final ContextId ABSENT_CONTEXT = new ContextId(1L << 40);

  private Samples() {}

  static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), MESSAGE, Encoding.RAW);
  }

  static BlobHash hash(String text) {
    return ReferenceBlake3.hash(Payload.utf8(text));
  }

  /// Bytes that do not compress.
  static Payload noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  /// Appends turns saying `prefix 0`, `prefix 1` and so on.
  static List<TurnId> say(Store store, ContextId context, String prefix, int count) {
    List<TurnId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(store.append(context, said(prefix + " " + i)).id());
    }
    return ids;
  }

  static List<Turn> replayed(Store store, TurnId last, View view) {
    List<Turn> turns = new ArrayList<>();
    store.replay(last, view, turns::add);
    return turns;
  }

  static List<TurnId> ids(List<Turn> turns) {
    return turns.stream().map(Turn::id).toList();
  }
}
