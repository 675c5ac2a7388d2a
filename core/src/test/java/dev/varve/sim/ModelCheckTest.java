// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A right store passes the check, and for each fault that the check claims to catch there is a
/// store that has it.
class ModelCheckTest {

  private static final int STEPS = 800;

  /// Models that pass through `wrap` when they are opened, and again when they are reopened.
  private record Models(UnaryOperator<BulkStore> wrap) implements StoreUnderTest {
    @Override
    public BulkStore open(StoreLimits limits, InstantSource time) {
      return new Box(new StoreModel(limits, time, RandomOperations.CHUNKS), wrap);
    }

    @Override
    public BulkStore reopen(BulkStore store) {
      return new Box(((Box) store).model.reopened(), wrap);
    }
  }

  /// Remembers the model that stands behind the wrapper.
  private static final class Box extends ForwardingStore {
    private final StoreModel model;

    Box(StoreModel model, UnaryOperator<BulkStore> wrap) {
      super(wrap.apply(model));
      this.model = model;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aRightStorePasses(long seed) {
    ModelCheck.run(seed, STEPS, new Models(store -> store));
  }

  @Test
  void aStoreMayLeaveGapsBetweenNumbers() {
    for (long seed = 1; seed <= 3; seed++) {
      ModelCheck.run(seed, STEPS, new Models(GappyStore::new));
    }
  }

  /// Never gives two turns in a row consecutive numbers.
  private static final class GappyStore extends ForwardingStore {
    GappyStore(BulkStore store) {
      super(store);
    }

    @Override
    public Turn append(ContextId context, NewTurn turn) {
      StoreModel model = (StoreModel) store;
      TurnId last = model.lastTurn();
      model.giveNext(new TurnId(last.value() + 3));
      TurnId skipped = model.lastTurn();
      try {
        return store.append(context, turn);
      } finally {
        if (model.lastTurn().equals(skipped)) {
          model.giveNext(new TurnId(last.value() + 1)); // nothing was appended
        }
      }
    }
  }

  @Test
  void theWalkMeetsEveryRefusalAndMuchOfEverything() {
    StoreModel[] seen = new StoreModel[1];
    Map<Class<?>, Integer> refusals = new HashMap<>();
    ModelCheck check =
        new ModelCheck(
            1,
            new Models(
                store -> {
                  seen[0] = (StoreModel) store;
                  return store;
                }));
    RandomOperations operations = new RandomOperations(new SplittableRandom(2));
    for (int i = 0; i < STEPS; i++) {
      check.step();
      if (operations.next(seen[0]).ask(seen[0].copy()) instanceof Operation.Refused(var type)) {
        refusals.merge(type, 1, Integer::sum);
      }
    }

    assertThat(refusals)
        .containsOnlyKeys(
            StoreException.NotFound.class,
            StoreException.Conflict.class,
            StoreException.Invalid.class,
            StoreException.TooLarge.class)
        .allSatisfy((type, count) -> assertThat(count).isGreaterThan(3));
    assertThat(seen[0].counts().turns()).isGreaterThan(100);
    assertThat(seen[0].counts().overlays()).isGreaterThan(10);
    assertThat(seen[0].counts().types()).isEqualTo(RandomOperations.LIMITS.types());
    assertThat(seen[0].keys()).hasSizeGreaterThan(10);
    assertThat(seen[0].heads().stream().mapToInt(ContextHead::headDepth).max().orElse(0))
        .isGreaterThan(RandomOperations.LIMITS.pageTurns());
  }

  /// One fault each.
  enum Fault {
    DROPS_A_TURN {
      @Override
      BulkStore in(BulkStore store) {
        return new Sometimes(store, 10) {
          @Override
          public Turn append(ContextId context, NewTurn turn) {
            return now() ? model().copy().append(context, turn) : store.append(context, turn);
          }
        };
      }
    },
    TELLS_A_STALE_HEAD {
      @Override
      BulkStore in(BulkStore store) {
        return new Sometimes(store, 1) {
          private final Map<ContextId, ContextHead> before = new HashMap<>();

          @Override
          public Turn append(ContextId context, NewTurn turn) {
            model().heads().forEach(head -> before.put(head.id(), head));
            return store.append(context, turn);
          }

          @Override
          public ContextHead head(ContextId context) {
            ContextHead head = store.head(context);
            return now() ? before.getOrDefault(context, head) : head;
          }
        };
      }
    },
    LOSES_A_KEY {
      @Override
      BulkStore in(BulkStore store) {
        return new Sometimes(store, 20) {
          @Override
          public Turn append(ContextId context, NewTurn t) {
            return store.append(
                context,
                now()
                    ? new NewTurn(
                        t.payload(),
                        t.type(),
                        t.encoding(),
                        t.parent(),
                        t.expectedHead(),
                        null,
                        t.fsRoot(),
                        t.declaredCompression(),
                        t.createdAt())
                    : t);
          }
        };
      }
    },
    SWAPS_PAYLOADS {
      @Override
      BulkStore in(BulkStore store) {
        return new Sometimes(store, 10) {
          private Payload other = Payload.EMPTY;

          @Override
          public Payload get(BlobHash hash) {
            Payload right = store.get(hash);
            Payload wrong = other;
            other = right;
            return now() ? wrong : right;
          }
        };
      }
    },
    IGNORES_THE_EXPECTED_HEAD {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Turn append(ContextId context, NewTurn turn) {
            return store.append(
                context,
                turn.expectedHead() == null
                    ? turn
                    : turn.withExpectedHead(store.head(context).head()));
          }
        };
      }
    },
    INCLUDES_THE_CURSOR {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
            TurnPage page = store.before(context, cursor, limit, view);
            if (page.turns().isEmpty()) {
              return page;
            }
            List<Turn> shifted = new ArrayList<>(page.turns());
            shifted.removeFirst();
            shifted.add(store.turn(cursor, view));
            return new TurnPage(page.head(), shifted, page.nextCursor());
          }
        };
      }
    },
    APPLIES_OVERLAYS_TOO_EARLY {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Turn turn(TurnId id, View view) {
            return store.turn(id, new View(view.payloads(), Math.max(1, view.overlaySeqMax() + 1)));
          }
        };
      }
    },
    FINDS_THE_ROOT_AS_COMMON_ANCESTOR {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
            return store.findCommonAncestor(a, b).map(turn -> store.ancestor(turn, 0));
          }
        };
      }
    },
    GIVES_ANOTHER_PART {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public InputStream read(BlobHash hash, long offset, long length) {
            return store.read(hash, offset > 0 && length > 0 ? offset - 1 : offset, length);
          }
        };
      }
    },
    SAYS_THAT_A_LARGE_BLOB_IS_IN_ONE_PIECE {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Optional<Payload> findChunkList(BlobHash hash) {
            store.sizeBytes(hash);
            return Optional.empty();
          }
        };
      }
    },
    REFUSES_WITH_ANOTHER_TYPE {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Turn turn(TurnId id, View view) {
            try {
              return store.turn(id, view);
            } catch (StoreException.NotFound e) {
              throw new StoreException.Invalid("turn", e.getMessage());
            }
          }
        };
      }
    },
    KEEPS_THE_PAYLOAD_OF_A_REFUSED_APPEND {
      @Override
      BulkStore in(BulkStore store) {
        return new ForwardingStore(store) {
          @Override
          public Turn append(ContextId context, NewTurn turn) {
            store.put(turn.payload());
            return store.append(context, turn);
          }
        };
      }
    },
    FORGETS_AN_OVERLAY_WHEN_REOPENED {
      @Override
      BulkStore in(BulkStore store) {
        long overlays = store.counts().overlays();
        return new ForwardingStore(store) {
          @Override
          public Turn turn(TurnId id, View view) {
            Turn turn = store.turn(id, view);
            return turn.overlaySeq() > 0 && turn.overlaySeq() == overlays
                ? store.turn(id, new View(view.payloads(), overlays - 1))
                : turn;
          }
        };
      }
    },
    GIVES_A_NUMBER_AGAIN_WHEN_REOPENED {
      @Override
      BulkStore in(BulkStore store) {
        StoreModel model = (StoreModel) store;
        if (model.counts().turns() > 1) {
          model.giveNext(model.lastTurn());
        }
        return store;
      }
    };

    abstract BulkStore in(BulkStore store);
  }

  /// A store that goes wrong once in `period` uses.
  private abstract static class Sometimes extends ForwardingStore {
    private final int period;
    private int uses;

    Sometimes(BulkStore store, int period) {
      super(store);
      this.period = period;
    }

    boolean now() {
      return ++uses % period == 0;
    }

    StoreModel model() {
      return (StoreModel) store;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongStoreIsCaught(Fault fault) {
    for (long seed = 1; seed <= 2; seed++) {
      long each = seed;
      assertThatThrownBy(() -> ModelCheck.run(each, STEPS, new Models(fault::in)))
          .as("seed %d", seed)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("seed " + seed + ", step ")
          .hasMessageContaining("expected")
          .hasMessageContaining("found");
    }
  }
}
