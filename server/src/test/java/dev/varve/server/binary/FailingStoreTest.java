// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.sim.ForwardingStore;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Response;
import dev.varve.wire.StoreRequest;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every request is answered, or its connection is ended, whatever fails within the server.
final class FailingStoreTest extends Ports {

  /// A store that fails when it is asked for a context.
  private static final class FailingStore extends ForwardingStore {

    private final Supplier<ContextHead> failure;

    FailingStore(BulkStore store, Supplier<ContextHead> failure) {
      super(store);
      this.failure = failure;
    }

    @Override
    public ContextHead head(ContextId context) {
      return failure.get();
    }
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new UnsatisfiedLinkError("/tmp/libzstd.so: cannot be mapped"),
        new NoClassDefFoundError("Zstd"),
        new InternalError("a fault occurred in mapped memory"),
        new OutOfMemoryError("Java heap space"),
        new StackOverflowError(),
        new AssertionError("a broken invariant"),
        new IllegalStateException("a mistake"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureOfAnyKindIsAnsweredAndTheConnectionGoesOn(Throwable failure) throws IOException {
    Peer peer = peer(port(new FailingStore(store(), () -> raise(failure)), BinaryLimits.DEFAULTS));

    Response answer = peer.ask(new BasicRequest.GetHead(1));

    assertThat(answer)
        .isEqualTo(ErrorResponse.of(500, "unexpected: " + failure.getClass().getSimpleName()));
    assertThat(peer.code(new BasicRequest.GetHead(1))).isEqualTo(500);
  }

  @Test
  void anAnswerThatCannotBeWrittenEndsTheConnection() throws IOException {
    Peer peer =
        peer(port(new FailingStore(store(), FailingStoreTest::none), BinaryLimits.DEFAULTS));

    peer.send(new StoreRequest.ContextGet(1));

    assertThat(peer.receive()).isNull();
  }

  @Test
  void aRefusalNamesNoFolderOfTheServer() throws IOException {
    StoreException refusal =
        new StoreException.Io(
            "/srv/agents of mine/store/journal.a",
            "write: /srv/agents of mine/store: Input/output error",
            new IOException("Input/output error"));
    Peer peer = peer(port(new FailingStore(store(), () -> raise(refusal)), BinaryLimits.DEFAULTS));

    ErrorResponse answer = (ErrorResponse) peer.ask(new BasicRequest.GetHead(1));

    assertThat(answer.detail()).isEqualTo("journal.a: write: store: Input/output error");
    assertThat(answer.parts()).noneMatch(part -> part.contains("srv"));
  }

  @SuppressWarnings("NullAway") // what no store does
  private static ContextHead none() {
    return null;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> ContextHead raise(Throwable failure) throws E {
    throw (E) failure;
  }
}
