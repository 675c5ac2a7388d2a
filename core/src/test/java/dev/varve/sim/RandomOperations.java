// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.chunk.ChunkSizes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Invents operations that fit what a store holds, and some that do not.
///
/// An operation has at most one fault, for the words of a store do not say which of two faults is
/// named. Payloads, keys and types come from small pools, so that the same ones meet again.
public final class RandomOperations {

  /// Small, so that a random walk runs into them; but some payloads fill whole blocks of 4,096
  /// bytes.
  public static final StoreLimits LIMITS = new StoreLimits(10_000, 20, 6);

  /// Small too: what is put as a stream has up to some hundred chunks.
  public static final ChunkSizes CHUNKS = new ChunkSizes(32, 128, 512, 2, 2, 4);

  private static final int STREAM_BYTES_MAX = 12_000;

  /// A store may skip this many numbers when it was not closed in order.
  private static final int SKIPPED_IDS_MAX = 5_000;

  static final TurnId ABSENT_TURN = new TurnId(1L << 41);
  static final ContextId ABSENT_CONTEXT = new ContextId(1L << 39);
  static final BlobHash ABSENT_BLOB = new BlobHash(1, 2, 3, 4);
  private static final Instant LONG_AGO = Instant.ofEpochMilli(1_500_000_000_000L);

  private final RandomGenerator random;
  private long invented;
  private int skippedIds;
  private long restored;

  public RandomOperations(RandomGenerator random) {
    this.random = random;
  }

  /// The next operation, for a store that holds what `model` holds.
  public Operation next(StoreModel model) {
    invented++;
    int kind = random.nextInt(100);
    if (kind < 3 || model.contexts(null, 1).isEmpty()) {
      return createContext(model);
    } else if (kind < 44) {
      return append(model);
    } else if (kind < 52) {
      return write(model);
    } else if (kind < 56) {
      return restore(model);
    } else if (kind < 60) {
      return large(model);
    } else if (kind < 81) {
      return readPath(model);
    }
    return ask(model);
  }

  private Operation createContext(StoreModel model) {
    TurnId base = oneIn(2) ? TurnId.NONE : turn(model, 15);
    BlobHash about = !base.equals(ABSENT_TURN) && oneIn(3) ? blob(model, 10) : null;
    return new Operation(
        "createContext(" + base + ", " + about + ")", s -> s.createContext(base, about));
  }

  private Operation append(StoreModel model) {
    return oneIn(10) ? appendRun(model) : appendOne(model);
  }

  private Operation appendRun(StoreModel model) {
    ContextId context = context(model, 10);
    NewTurn first = NewTurn.of(payload(), type(), encoding());
    List<NewTurn> run =
        List.of(
            oneIn(3) ? first.withParent(turn(model, 10)) : first,
            NewTurn.of(payload(), type(), encoding()).withCreatedAt(LONG_AGO.plusMillis(invented)),
            NewTurn.of(payload(), type(), encoding()));
    return new Operation(
        "appendRun(" + context + ", " + run + ")",
        run.size(),
        s -> s.turn(s.appendRun(context, run).getFirst(), View.AS_WRITTEN));
  }

  private Operation appendOne(StoreModel model) {
    NewTurn turn = NewTurn.of(payload(), type(), encoding());
    if (invented % 32 == 1) {
      turn = turn.withCreatedAt(LONG_AGO.plusMillis(invented));
    }
    ContextId context = context(model, 0);
    TurnId head = model.head(context).head();
    // Rare types come late: until all others are known, any append might run into the limit.
    int variety = random.nextInt(model.turns().size() < 50 ? 15 : 16);
    switch (variety) {
      case 0 -> context = ABSENT_CONTEXT;
      case 1 -> turn = turn.withParent(ABSENT_TURN);
      case 2 -> turn = turn.withExpectedHead(oneIn(2) ? ABSENT_TURN : turn(model, 0));
      case 3 -> turn = turn.withFsRoot(ABSENT_BLOB);
      case 4 -> turn = NewTurn.of(tooLarge(), turn.type(), turn.encoding());
      case 5 -> turn = turn.withParent(turn(model, 0));
      case 6, 7 -> turn = turn.withParent(oneIn(6) ? TurnId.NONE : head).withExpectedHead(head);
      case 8 -> turn = turn.withFsRoot(blob(model, 0)).withDeclaredCompression(1);
      case 9, 10, 11 -> turn = turn.withKey(key());
      case 12 -> turn = turn.withKey(key()).withExpectedHead(head);
      case 15 -> turn = NewTurn.of(turn.payload(), rareType(), turn.encoding());
      default -> {}
    }
    ContextId to = context;
    NewTurn given = turn;
    return new Operation("append(" + to + ", " + given + ")", s -> s.append(to, given));
  }

  private Operation write(StoreModel model) {
    TurnId turn = turn(model, 12);
    return switch (random.nextInt(6)) {
      case 0, 1 -> {
        Payload payload = !turn.equals(ABSENT_TURN) && oneIn(15) ? tooLarge() : payload();
        yield new Operation("patch(" + turn + ", " + payload + ")", s -> s.patch(turn, payload));
      }
      case 2 -> new Operation("tombstone(" + turn + ")", s -> s.tombstone(turn));
      case 3 -> {
        BlobHash root = blob(model, turn.equals(ABSENT_TURN) ? 0 : 10);
        yield new Operation(
            "attachFsRoot(" + turn + ", " + root + ")", s -> s.attachFsRoot(turn, root));
      }
      case 4 -> {
        Payload bytes = oneIn(12) ? tooLarge() : payload();
        yield new Operation("put(" + bytes + ")", s -> s.put(bytes));
      }
      default -> {
        ContextId context = context(model, 12);
        BlobHash about = blob(model, context.equals(ABSENT_CONTEXT) ? 0 : 10);
        yield new Operation(
            "describe(" + context + ", " + about + ")", s -> s.describe(context, about));
      }
    };
  }

  /// From now on turns are restored under numbers that leave room for those that a crash made the
  /// store skip.
  void afterCrash() {
    skippedIds = SKIPPED_IDS_MAX;
  }

  private Operation restore(StoreModel model) {
    Instant then = LONG_AGO.plusMillis(invented); // no two contexts are active at once
    if (oneIn(3)) {
      boolean taken = oneIn(6);
      ContextId id =
          taken
              ? context(model, 0)
              : new ContextId(model.lastContext().value() + 1 + random.nextInt(3));
      TurnId head = taken || oneIn(3) ? TurnId.NONE : turn(model, 10);
      BlobHash about = taken || oneIn(2) || head.equals(ABSENT_TURN) ? null : blob(model, 10);
      return new Operation(
          "restoreContext(" + id + ", " + head + ", " + about + ")",
          s -> s.restoreContext(id, head, TurnId.NONE, then, then, about));
    }
    boolean taken = oneIn(6) && model.counts().turns() > 0;
    TurnId id =
        taken ? turn(model, 0) : new TurnId(newest(model) + 1 + skippedIds + random.nextInt(4));
    restored = taken ? restored : id.value();
    TurnId parent = oneIn(4) ? TurnId.NONE : turn(model, taken ? 0 : 12);
    NewTurn turn = NewTurn.of(payload(), type(), encoding()).withParent(parent);
    if (!taken && oneIn(4)) {
      turn = turn.withKey(IdempotencyKey.of("restored " + invented));
    }
    ContextId context = context(model, 0);
    NewTurn given = turn;
    return new Operation(
        "restoreTurn(" + id + ", " + context + ", " + given + ")",
        s -> s.restoreTurn(id, context, given, then));
  }

  /// The newest number that the store may have seen. What a crash took may have had one, and is not
  /// given again.
  private long newest(StoreModel model) {
    long last = model.lastTurn().value();
    return skippedIds > 0 ? Math.max(last, restored) : last;
  }

  private Operation large(StoreModel model) {
    BlobHash blob = blob(model, 12);
    return switch (random.nextInt(9)) {
      case 0 -> new Operation("sizeBytes(" + blob + ")", s -> s.sizeBytes(blob));
      case 1 -> new Operation("findChunkList(" + blob + ")", s -> s.findChunkList(blob));
      case 2 -> {
        List<Payload> blobs = List.of(payload(), oneIn(8) ? tooLarge() : payload(), payload());
        yield new Operation("putAll(" + blobs + ")", s -> s.putAll(blobs));
      }
      case 3 -> {
        int size = blob.equals(ABSENT_BLOB) ? 1 : (int) model.sizeBytes(blob);
        int from = random.nextInt(size + 1);
        int length = oneIn(8) ? size - from + 1 : random.nextInt(size - from + 1);
        yield new Operation(
            "read(" + blob + ", " + from + ", " + length + ")",
            s -> allOf(s.read(blob, from, length)));
      }
      default -> stream();
    };
  }

  /// Content of a few families, so that it shares chunks: the beginning of one, perhaps with
  /// something else in between.
  private Operation stream() {
    byte[] family = noise(random.nextInt(3), STREAM_BYTES_MAX).bytes();
    byte[] content = Arrays.copyOf(family, random.nextInt(STREAM_BYTES_MAX + 1));
    if (oneIn(3) && content.length > 0) {
      content[random.nextInt(content.length)] ^= (byte) (1 + invented % 255);
    }
    BlobHash hash = ReferenceBlake3.hash(Payload.wrap(content));
    BlobHash expected = oneIn(2) ? null : oneIn(6) ? ABSENT_BLOB : hash;
    return new Operation(
        "put(stream of " + content.length + " bytes, " + expected + ")",
        s -> {
          try {
            return s.put(new ByteArrayInputStream(content), expected);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  static Payload allOf(InputStream stream) {
    try (stream) {
      return Payload.wrap(stream.readAllBytes());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Operation readPath(StoreModel model) {
    int limit = random.nextInt(LIMITS.pageTurns() + 1);
    boolean unfit = oneIn(25);
    if (unfit) {
      limit = oneIn(2) ? -1 : LIMITS.pageTurns() + 1 + random.nextInt(1_000);
    }
    ContextId context = context(model, unfit ? 0 : 25);
    boolean fit = !unfit && !context.equals(ABSENT_CONTEXT);
    View view = view(model);
    int asked = limit;
    String about = ", " + asked + ", " + view + ")";
    switch (unfit ? 2 * random.nextInt(2) : random.nextInt(4)) {
      case 0 -> {
        return new Operation("last(" + context + about, s -> s.last(context, asked, view));
      }
      case 1 -> {
        // The cursor may well lie beside the path; but a context that is not there is fault enough.
        TurnId cursor = fit && oneIn(4) ? turn(model, 8) : onPath(model, context);
        return new Operation(
            "before(" + context + ", " + cursor + about,
            s -> s.before(context, cursor, asked, view));
      }
      case 2 -> {
        int depth = fit && oneIn(20) ? -1 : random.nextInt(headDepth(model, context) + 3);
        return new Operation(
            "range(" + context + ", " + depth + about, s -> s.range(context, depth, asked, view));
      }
      default -> {
        TurnId last = turn(model, 20);
        return new Operation(
            "replay(" + last + ", " + view + ")",
            s -> {
              List<Turn> path = new ArrayList<>();
              s.replay(last, view, path::add);
              return path;
            });
      }
    }
  }

  private Operation ask(StoreModel model) {
    TurnId turn = turn(model, 15);
    TurnId other = turn(model, turn.equals(ABSENT_TURN) ? 0 : 15);
    ContextId context = context(model, 15);
    BlobHash blob = blob(model, 10);
    View view = view(model);
    return switch (random.nextInt(11)) {
      case 0 -> new Operation("head(" + context + ")", s -> s.head(context));
      case 1 -> {
        ContextId after = oneIn(3) ? null : context;
        int limit = ABSENT_CONTEXT.equals(after) ? 1 : random.nextInt(-1, LIMITS.pageTurns() + 2);
        yield invented % 2 == 0
            ? new Operation("contexts(" + after + ", " + limit + ")", s -> s.contexts(after, limit))
            : new Operation(
                "contextsBelow(" + after + ", " + limit + ")", s -> s.contextsBelow(after, limit));
      }
      case 2, 3 -> new Operation("turn(" + turn + ", " + view + ")", s -> s.turn(turn, view));
      case 4 -> {
        int depth = turn.equals(ABSENT_TURN) ? 0 : random.nextInt(-1, depth(model, turn) + 2);
        yield new Operation("ancestor(" + turn + ", " + depth + ")", s -> s.ancestor(turn, depth));
      }
      case 5 ->
          new Operation(
              "findCommonAncestor(" + turn + ", " + other + ")",
              s -> s.findCommonAncestor(turn, other));
      case 6 -> {
        TurnId parent = oneIn(4) ? TurnId.NONE : turn;
        yield new Operation(
            "findChild(" + parent + ", " + blob + ")",
            s -> StoreDifference.childLike(s, parent, blob));
      }
      case 7 -> new Operation("get(" + blob + ")", s -> s.get(blob));
      case 8 -> new Operation("has(" + blob + ")", s -> s.has(blob));
      case 9 -> new Operation("overlays(" + turn + ")", s -> s.overlays(turn));
      default -> new Operation("counts()", s -> s.counts());
    };
  }

  // ---- arguments; one in `absentOneIn` (never if 0) is not in the store

  private TurnId turn(StoreModel model, int absentOneIn) {
    List<Turn> turns = model.turns();
    if (turns.isEmpty() || oneIn(absentOneIn)) {
      return absentOneIn == 0 ? TurnId.NONE : ABSENT_TURN;
    }
    // Half of the time a recent one.
    int from = oneIn(2) ? Math.max(0, turns.size() - 10) : 0;
    return turns.get(random.nextInt(from, turns.size())).id();
  }

  private ContextId context(StoreModel model, int absentOneIn) {
    List<ContextHead> contexts = model.contexts(null, LIMITS.pageTurns());
    // Few contexts take most of the work, so that some paths grow long.
    int busy = Math.min(random.nextInt(contexts.size()), random.nextInt(contexts.size()));
    return oneIn(absentOneIn) ? ABSENT_CONTEXT : contexts.get(busy / 2).id();
  }

  private BlobHash blob(StoreModel model, int absentOneIn) {
    List<BlobHash> blobs = model.blobs();
    if (oneIn(absentOneIn) || blobs.isEmpty()) {
      return ABSENT_BLOB;
    }
    return blobs.get(random.nextInt(blobs.size()));
  }

  private TurnId onPath(StoreModel model, ContextId context) {
    if (context.equals(ABSENT_CONTEXT) || model.head(context).head().isNone()) {
      return ABSENT_TURN;
    }
    ContextHead head = model.head(context);
    return model.ancestor(head.head(), random.nextInt(head.headDepth() + 1));
  }

  private int headDepth(StoreModel model, ContextId context) {
    return context.equals(ABSENT_CONTEXT) ? 0 : model.head(context).headDepth();
  }

  private static int depth(StoreModel model, TurnId turn) {
    return turn.isNone() ? 0 : model.turn(turn, View.HEADERS).depth();
  }

  private View view(StoreModel model) {
    return switch (random.nextInt(5)) {
      case 0 -> View.AS_WRITTEN;
      case 1 -> View.HEADERS;
      case 2 -> View.asOf(random.nextLong(model.counts().overlays() + 2));
      default -> View.LATEST;
    };
  }

  private Payload payload() {
    int of = random.nextInt(60);
    return switch (of % 4) {
      case 0 -> Payload.utf8("word " + of);
      case 1 -> Payload.utf8("a sentence that compresses well, ".repeat(of));
      case 2 -> noise(of, of * 20);
      default -> {
        if (of < 8) {
          yield Payload.EMPTY;
        }
        yield noise(invented, of < 52 ? 50 + of : 9_000 + of);
      }
    };
  }

  private Payload tooLarge() {
    return noise(invented, LIMITS.payloadBytes() + 1 + random.nextInt(5_000));
  }

  private static Payload noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  private DeclaredType type() {
    int of = random.nextInt(4);
    return new DeclaredType(of == 3 ? "sim.Ärger🌊" : "sim.Message", of);
  }

  private DeclaredType rareType() {
    return new DeclaredType("sim.Rare", random.nextInt(10));
  }

  private Encoding encoding() {
    return oneIn(4) ? Encoding.JSON : Encoding.MSGPACK;
  }

  private IdempotencyKey key() {
    return IdempotencyKey.of("key " + random.nextInt(6));
  }

  private boolean oneIn(int n) {
    return n > 0 && random.nextInt(n) == 0;
  }
}
