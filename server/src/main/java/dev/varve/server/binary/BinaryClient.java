// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.access.Scope;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.wire.ErrorResponse;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The client at the other end of a connection: its tag, its rights and the contexts that are live
/// through it.
///
/// The object's monitor guards all state. It is held briefly, except that events are published
/// while it is held, so that they keep their order.
final class BinaryClient {

  /// The number of live contexts of one connection that are kept: the most recent ones.
  private static final int LIVE_MAX = 65_536;

  /// Separates a tag from a token in the tag of a client that has no other way to send a token.
  private static final String TOKEN_IN_TAG = ";token=";

  private static final int TAG_CHARACTERS_MAX = 256;

  private final long number;
  private final String peerAddress;
  private final Authenticator authenticator;
  private final EventListener listener;
  private final InstantSource clock;
  private final SequencedSet<ContextId> live = new LinkedHashSet<>();
  private final BlobUploads uploads = new BlobUploads();
  private @Nullable CheckTask check;
  private @Nullable Principal principal;
  private boolean asked;
  private @Nullable ClientSession session;

  BinaryClient(
      long number,
      String peerAddress,
      Authenticator authenticator,
      EventListener listener,
      InstantSource clock) {
    this.number = number;
    this.peerAddress = peerAddress;
    this.authenticator = authenticator;
    this.listener = listener;
    this.clock = clock;
  }

  /// The number of the session, which is the number of the connection.
  long number() {
    return number;
  }

  /// The blobs that the client is sending in parts.
  BlobUploads uploads() {
    return uploads;
  }

  /// The check that this client asked for.
  ///
  /// @param begin whether to begin a new one
  /// @throws StoreException.Invalid if none has begun
  synchronized CheckTask check(boolean begin, BinaryService service) {
    CheckTask running = check;
    if (begin) {
      if (running != null) {
        running.close();
      }
      running = CheckTask.start(service.store(), service.checked());
      check = running;
    }
    if (running == null) {
      throw new StoreException.Invalid("CHECK_STEP", "no check has begun on this connection");
    }
    return running;
  }

  /// Takes the client's introduction. Refuses an unknown token; an introduction without a token is
  /// never refused.
  ///
  /// @param token empty for none
  synchronized Optional<ErrorResponse> introduce(String tag, String token) {
    int inTag = tag.indexOf(TOKEN_IN_TAG);
    String shown = token;
    String name = tag;
    if (inTag >= 0) {
      name = tag.substring(0, inTag);
      shown = token.isEmpty() ? tag.substring(inTag + TOKEN_IN_TAG.length()) : token;
    }
    if (!shown.isEmpty()) {
      Optional<Principal> known = authenticator.authenticate(shown);
      asked = true;
      principal = known.orElse(null);
      if (known.isEmpty()) {
        return Optional.of(
            ErrorResponse.of(ErrorResponse.UNAUTHENTICATED, "the token is not known"));
      }
    }
    register(name.length() <= TAG_CHARACTERS_MAX ? name : name.substring(0, TAG_CHARACTERS_MAX));
    return Optional.empty();
  }

  /// The reason why a request must not go on; empty if it may.
  synchronized Optional<ErrorResponse> refuse(Scope needed) {
    if (!asked) {
      asked = true;
      principal = authenticator.authenticate(null).orElse(null);
    }
    Principal who = principal;
    if (who == null) {
      return Optional.of(
          ErrorResponse.of(
              ErrorResponse.UNAUTHENTICATED, "a token is needed: see docs/protocol.md, Tokens"));
    }
    return switch (who.admit(needed)) {
      case ADMITTED -> Optional.empty();
      case REVOKED ->
          Optional.of(
              ErrorResponse.of(ErrorResponse.UNAUTHENTICATED, "the token has been revoked"));
      case FORBIDDEN ->
          Optional.of(
              ErrorResponse.of(ErrorResponse.FORBIDDEN, who.name() + " may not " + verb(needed)));
      case TOO_MANY ->
          Optional.of(
              ErrorResponse.of(ErrorResponse.TOO_MANY, who.name() + " asks too much; slow down"));
    };
  }

  private static String verb(Scope scope) {
    return switch (scope) {
      case READ -> "read";
      case WRITE -> "write";
      case ADMIN -> "bring in history";
      case RESTORE -> "restore files";
    };
  }

  /// The session; it begins now if the client has not introduced itself.
  synchronized ClientSession session() {
    return session == null ? register("") : session;
  }

  private ClientSession register(String tag) {
    ClientSession existing = session;
    if (existing != null) {
      return existing; // a second introduction changes nothing
    }
    ClientSession begun = new ClientSession(number, tag, peerAddress, clock.instant());
    session = begun;
    listener.on(new ServerEvent.ClientConnected(begun));
    return begun;
  }

  /// The name of the client for the audit log.
  synchronized String name() {
    return principal == null ? "nobody" : principal.name();
  }

  /// The client's `address:port`.
  String peerAddress() {
    return peerAddress;
  }

  /// Records that the client sent a request.
  synchronized void touch() {
    if (session != null) {
      session.touch(clock.instant());
    }
  }

  /// Records that a context is live through this client until the client disconnects.
  synchronized void live(ContextId context) {
    if (live.add(context) && live.size() > LIVE_MAX) {
      live.removeFirst();
    }
  }

  /// Records that the connection has ended.
  synchronized void leave() {
    uploads.close();
    if (check != null) {
      check.close();
    }
    ClientSession over = session;
    if (over != null) {
      session = null;
      listener.on(new ServerEvent.ClientDisconnected(over, List.copyOf(live)));
    }
  }
}
