// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.disk.SimulatedDisk;
import dev.varve.local.History.Moment;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.StoreModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One store with up to three of its files damaged: whatever it answers is right, what it lost is
/// named, and no number is given twice.
final class StoreDamageRun {

  private static final int DAMAGES_MAX = 3;
  private static final DeclaredType TYPE = new DeclaredType("sim.Message", 0);

  private final SplittableRandom random;
  private final List<List<Moment>> histories;
  private final HeardLog log;
  private final List<String> damages = new ArrayList<>();

  /// What is not answered as it was, though not answered wrong.
  private final List<String> losses = new ArrayList<>();

  /// @param histories lives of different stores; one is damaged, also with files of the others
  StoreDamageRun(long seed, List<List<Moment>> histories, HeardLog log) {
    this.random = new SplittableRandom(seed);
    this.histories = histories;
    this.log = log;
  }

  /// What was done to the files.
  List<String> damages() {
    return damages;
  }

  void run() {
    List<Moment> lives = histories.get(random.nextInt(histories.size()));
    // The last moment of a history is a crash, which has most to lose.
    int now = random.nextBoolean() ? lives.size() - 1 : random.nextInt(lives.size());
    Moment moment = lives.get(now);
    damages.add(now == lives.size() - 1 ? "crashed" : "closed");
    DiskImage image = moment.image();
    int count = 1 + random.nextInt(DAMAGES_MAX);
    for (int i = 0; i < count; i++) {
      image = damaged(image, lives, now);
    }
    SimulatedDisk disk = image.disk();
    log.complaints();
    LocalStore store;
    try {
      store = History.open(disk);
    } catch (StoreException e) {
      return; // nothing is opened, nothing is lost, and it says why
    }
    // A warning only says that something is made again, or that the ends have to be sought.
    boolean named = log.complaints().stream().anyMatch(said -> said.startsWith("SEVERE"));
    compare(moment.model(), store);
    named |= store.check().problems().stream().anyMatch(problem -> !problem.derived());
    if (!losses.isEmpty() && !named) {
      throw new AssertionError("lost without a word: " + losses);
    }
    goOn(moment.model(), store, disk);
  }

  // ---- damage

  private DiskImage damaged(DiskImage image, List<Moment> lives, int now) {
    List<String> names = image.names().stream().filter(name -> !name.equals("lock")).toList();
    String name = names.get(random.nextInt(names.size()));
    byte[] bytes = image.file(name);
    int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    int to = bytes.length == 0 ? 0 : random.nextInt(from, bytes.length) + 1;
    int kind = random.nextInt(8);
    switch (kind) {
      case 0, 1 -> {
        if (bytes.length > 0) {
          bytes[from] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 2 -> Arrays.fill(bytes, from, to, (byte) 0);
      case 3 -> bytes = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? 0 : from);
      case 4 -> {
        byte[] noise = new byte[to - from];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, from, noise.length);
      }
      case 5 -> bytes = other(name, lives.subList(0, now), bytes);
      case 6 -> bytes = other(name, otherThan(lives), bytes);
      default -> {
        damages.add(name + " deleted");
        return image.without(name);
      }
    }
    String[] kinds = {"bit", "bit", "zeros", "cut", "noise", "older copy", "of another store"};
    damages.add(name + " " + kinds[kind] + " " + from + " " + to);
    return image.with(name, bytes);
  }

  private List<Moment> otherThan(List<Moment> own) {
    List<List<Moment>> others = histories.stream().filter(lives -> lives != own).toList();
    return others.get(random.nextInt(others.size()));
  }

  private byte[] other(String name, List<Moment> moments, byte[] own) {
    if (moments.isEmpty()) {
      return own;
    }
    DiskImage image = moments.get(random.nextInt(moments.size())).image();
    return image.has(name) ? image.file(name) : own;
  }

  // ---- what it answers

  private void compare(StoreModel model, LocalStore store) {
    for (Turn turn : model.turns()) {
      Turn found = ask("turn " + turn.id(), () -> store.turn(turn.id(), View.AS_WRITTEN));
      Turn expected = model.turn(turn.id(), View.AS_WRITTEN);
      if (found != null && !found.equals(expected) && !isTypeUnknown(found)) {
        throw new AssertionError("wrong: " + found + ", expected " + expected);
      }
      Turn latest = ask("latest " + turn.id(), () -> store.turn(turn.id(), View.LATEST));
      if (latest != null && !latest.equals(model.turn(turn.id(), View.LATEST))) {
        losses.add(
            "latest of turn "
                + turn.id()
                + ": "
                + latest
                + ", expected "
                + model.turn(turn.id(), View.LATEST));
      }
    }
    for (BlobHash blob : model.blobs()) {
      if (model.sizeBytes(blob) > RandomOperations.LIMITS.payloadBytes()) {
        continue;
      }
      Payload found = ask("blob " + blob, () -> store.get(blob));
      if (found != null) {
        assertThat(found).isEqualTo(model.get(blob));
      }
    }
    for (ContextHead head : model.heads()) {
      ContextHead found = ask("context " + head.id(), () -> store.head(head.id()));
      if (found != null && !found.equals(model.head(head.id()))) {
        losses.add("head " + found + ", expected " + model.head(head.id()));
      }
    }
  }

  private static boolean isTypeUnknown(Turn turn) {
    return turn.type().id().startsWith("unknown-tag:");
  }

  /// An answer, or null if it is refused, which is noted.
  private <T> @Nullable T ask(String what, Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      losses.add(what + ": " + e.getMessage());
      return null;
    }
  }

  // ---- going on

  private static void goOn(StoreModel model, LocalStore store, SimulatedDisk disk) {
    ContextId context = store.createContext().id();
    assertThat(context).as("given twice").isGreaterThan(model.lastContext());
    NewTurn turn = NewTurn.of(Payload.utf8("new"), TYPE, Encoding.JSON);
    Turn appended = store.append(context, turn);
    assertThat(appended.id()).as("given twice").isGreaterThan(model.lastTurn());
    store.close();
    try (LocalStore again = History.open(disk)) {
      assertThat(again.turn(appended.id(), View.AS_WRITTEN.withoutPayloads())).isEqualTo(appended);
      assertThat(again.head(context).head()).isEqualTo(appended.id());
    }
  }
}
