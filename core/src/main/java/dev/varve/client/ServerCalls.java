// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.StoreException;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Asks a server, over a connection that is opened again when it was lost.
///
/// A request that cannot have reached the server is repeated. A request that may have reached the
/// server is repeated only if a repetition does no harm; otherwise its caller gets a refusal that
/// the outcome is not known.
final class ServerCalls implements AutoCloseable {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /// The number of repeats of a request that the server takes and does not answer.
  private static final int REPEATS_MAX = 5;

  private final ServerDialer server;
  private final RemoteOptions options;
  private final ReentrantLock opening = new ReentrantLock(); // one thread opens, the others wait
  private volatile @Nullable ClientConnection link;
  private volatile boolean closed;

  ServerCalls(ServerDialer server, RemoteOptions options) {
    this.server = server;
    this.options = options;
  }

  /// Opens the connection if there is none.
  ClientConnection link() throws IOException {
    ClientConnection open = link;
    if (open != null && !open.isLost()) {
      return open;
    }
    opening.lock();
    try {
      open = link;
      if (open == null || open.isLost()) {
        if (closed) {
          throw new StoreException.Closed("store");
        }
        open = opened();
        link = open;
      }
      return open;
    } finally {
      opening.unlock();
    }
  }

  /// An interrupt would close the socket that is being opened, so another thread opens it.
  private ClientConnection opened() throws IOException {
    var result = new CompletableFuture<ClientConnection>();
    Thread.ofVirtual()
        .name("remote-opener")
        .start(
            () -> {
              try {
                result.complete(ClientConnection.open(server, options));
              } catch (IOException | RuntimeException | Error e) {
                result.completeExceptionally(e);
              }
            });
    try {
      return result.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException io -> throw new IOException(io.getMessage(), io);
        case StoreException refusal -> throw refusal;
        case null, default -> throw e;
      }
    }
  }

  /// Asks.
  ///
  /// @param sizeBytes about how large the request is
  /// @param repeatable whether the server may be asked twice
  /// @throws StoreException as the server refuses; [StoreException.Io] if no answer came
  Response call(Request request, int sizeBytes, boolean repeatable) {
    long deadline = System.nanoTime() + options.reconnect().toNanos();
    Duration pause = FIRST_PAUSE;
    int repeats = 0;
    while (true) {
      if (closed) {
        throw new StoreException.Closed("store");
      }
      try {
        Response response = link().call(request, sizeBytes, options.requestTimeout());
        if (response instanceof ErrorResponse error) {
          throw error.toException();
        }
        return response;
      } catch (ClientConnection.Unanswered e) {
        repeats++;
        if (closed) {
          throw new StoreException.Closed("store");
        }
        if (e.sent() && !repeatable) {
          throw new StoreException.Io(
              server.toString(),
              request.type()
                  + " got no answer, and nobody knows whether it was fulfilled: "
                  + e.getMessage(),
              e);
        }
        if (repeats > REPEATS_MAX) {
          throw unreachable(e);
        }
      } catch (IOException e) {
        if (System.nanoTime() - deadline > 0) {
          throw unreachable(e);
        }
      }
      pause(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private StoreException.Io unreachable(Exception e) {
    return new StoreException.Io(server.toString(), "cannot be reached: " + e.getMessage(), e);
  }

  private static void pause(Duration pause) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(pause.toNanos());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    opening.lock();
    try {
      ClientConnection open = link;
      if (open != null) {
        open.close();
      }
    } finally {
      opening.unlock();
    }
  }
}
