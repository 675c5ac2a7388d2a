// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.BlobRecord;
import dev.varve.disk.Disk;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.SimulatedTime;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/// A store with so much of everything in it that each file is longer than the block that a
/// checkpoint keeps of it, and the right answer to each question.
final class Furnished {

  static final int CONTEXTS = 40;
  static final int TURNS = 150;
  static final int OVERLAID = 80;

  static final StoreOptions OPTIONS =
      StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM).withBlobCacheBytes(0);

  private final Map<String, Function<LocalStore, Object>> questions = new LinkedHashMap<>();
  private final Map<String, Object> answers = new LinkedHashMap<>();
  final DiskImage image;

  Furnished() {
    this(0);
  }

  /// @param variant another one makes another store of as many contexts and turns
  Furnished(int variant) {
    SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore store = open(disk);
    for (int context = 1; context <= CONTEXTS; context++) {
      store.createContext();
    }
    for (int turn = 1; turn <= TURNS; turn++) {
      store.append(contextOf(turn + variant), newTurn(turn + variant));
    }
    for (int turn = 1; turn <= OVERLAID; turn++) {
      if ((turn + variant) % 2 == 0) {
        store.tombstone(new TurnId(turn));
      } else {
        store.patch(new TurnId(turn), Payload.utf8("patched " + turn + " of " + variant));
      }
    }
    ask();
    questions.forEach((what, question) -> answers.put(what, question.apply(store)));
    store.close();
    image = DiskImage.of(disk);
  }

  static LocalStore open(Disk disk) {
    return LocalStore.open(disk, OPTIONS, SimulatedTime.standing(), PowerCutStoreTest.SMALL);
  }

  /// The first hundred turns make one path, the others are spread over some of the contexts.
  static ContextId contextOf(int turn) {
    return new ContextId(turn <= 100 ? 1 : 2 + turn % (CONTEXTS / 2));
  }

  static NewTurn newTurn(int turn) {
    return NewTurn.of(payload(turn), new DeclaredType("furnished.Type" + turn, turn), Encoding.JSON)
        .withKey(IdempotencyKey.of("key " + turn));
  }

  static Payload payload(int turn) {
    byte[] bytes = new byte[150];
    new SplittableRandom(turn).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  private void ask() {
    for (int i = 1; i <= TURNS; i++) {
      TurnId turn = new TurnId(i);
      questions.put("turn " + i + " as written", store -> store.turn(turn, View.AS_WRITTEN));
      questions.put("turn " + i + " now", store -> store.turn(turn, View.LATEST));
      questions.put("ancestor of " + i, store -> store.ancestor(turn, 0));
    }
    for (int i = 1; i <= CONTEXTS; i++) {
      ContextId context = new ContextId(i);
      questions.put("head of " + i, store -> store.head(context));
      questions.put("last of " + i, store -> store.last(context, 2, View.AS_WRITTEN));
    }
    questions.put(
        "contexts",
        store ->
            store.contexts(null, 1000).stream()
                .filter(context -> context.id().value() <= CONTEXTS)
                .toList());
  }

  /// The questions to which the store now has no answer or another one, each with the refusal or
  /// the answer.
  Map<String, String> differences(LocalStore store) {
    Map<String, String> different = new LinkedHashMap<>();
    questions.forEach(
        (what, question) -> {
          try {
            Object answer = question.apply(store);
            if (!answer.equals(answers.get(what))) {
              different.put(what, "answered " + answer);
            }
          } catch (StoreException.Corrupt e) {
            different.put(what, e.file() + " " + e.offset());
          } catch (StoreException e) {
            different.put(what, String.valueOf(e.getMessage()));
          }
        });
    return different;
  }

  /// Where the record of each blob starts, in order of the pack.
  static List<Integer> packOffsets(byte[] pack) {
    List<Integer> offsets = new ArrayList<>();
    MemorySegment bytes = MemorySegment.ofArray(pack);
    for (long at = 0; at < pack.length; ) {
      offsets.add((int) at);
      at += BlobRecord.read(bytes.asSlice(at, BlobRecord.HEADER_BYTES)).orElseThrow().sizeBytes();
    }
    return offsets;
  }

  static DiskImage withoutDerived(DiskImage image) {
    DiskImage left = image;
    for (String file : StoreFiles.DERIVED) {
      left = left.without(file);
    }
    return left;
  }
}
