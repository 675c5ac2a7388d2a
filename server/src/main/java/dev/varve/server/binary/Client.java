// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.ContextId;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.access.Scope;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.events.Session;
import dev.varve.wire.ErrorResponse;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Who is at the other end of a connection: what it calls itself, what it may do, which contexts
/// are live through it.
///
/// All state is guarded by the object's monitor, which is held for a look only, except that events
/// are told while it is held, so that they come in order.
final class Client {

  /// More contexts than that are live through one connection only as long as they are among the
  /// last ones.
  private static final int LIVE_MAX = 65_536;

  /// What stands between a tag and a token in the tag of a client that can send nothing else.
  private static final String TOKEN_IN_TAG = ";token=";

  private static final int TAG_CHARACTERS_MAX = 256;

  private final long number;
  private final String peerAddress;
  private final Authenticator authenticator;
  private final EventListener listener;
  private final InstantSource clock;
  private final SequencedSet<ContextId> live = new LinkedHashSet<>();
  private final Uploads uploads = new Uploads();
  private @Nullable Principal principal;
  private boolean asked;
  private @Nullable Session session;

  Client(
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

  /// The session's number: that of the connection.
  long number() {
    return number;
  }

  /// The blobs it is sending in parts.
  Uploads uploads() {
    return uploads;
  }

  /// Whether this introduction shows a token that is not known; one that shows none is never wrong.
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

  /// Why a request must not go on; empty if it may.
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
    };
  }

  /// The session, which begins now if the client has not introduced itself.
  synchronized Session session() {
    return session == null ? register("") : session;
  }

  private Session register(String tag) {
    Session existing = session;
    if (existing != null) {
      return existing; // a second introduction changes nothing
    }
    Session begun = new Session(number, tag, peerAddress, clock.instant());
    session = begun;
    listener.on(new ServerEvent.ClientConnected(begun));
    return begun;
  }

  /// Who it is, for the audit log.
  synchronized String name() {
    return principal == null ? "nobody" : principal.name();
  }

  /// `address:port`.
  String peerAddress() {
    return peerAddress;
  }

  /// The client asked for something.
  synchronized void touch() {
    if (session != null) {
      session.touch(clock.instant());
    }
  }

  /// A context is live through this client until it leaves.
  synchronized void live(ContextId context) {
    if (live.add(context) && live.size() > LIVE_MAX) {
      live.removeFirst();
    }
  }

  /// The connection is over.
  synchronized void leave() {
    uploads.close();
    Session over = session;
    if (over != null) {
      session = null;
      listener.on(new ServerEvent.ClientDisconnected(over, List.copyOf(live)));
    }
  }
}
