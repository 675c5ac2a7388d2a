// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/// A client of the service, for as long as it is connected: on the binary port one connection.
///
/// Equal when the numbers are equal.
public final class Session {

  private final long id;
  private final String clientTag;
  private final String peerAddress;
  private final Instant connectedAt;
  private final AtomicLong lastActivityAtUnixMs;

  /// @param id unique as long as the server runs, from 1
  /// @param clientTag what the client calls itself; may be empty
  /// @param peerAddress `address:port` as the server sees it
  public Session(long id, String clientTag, String peerAddress, Instant connectedAt) {
    this.id = id;
    this.clientTag = clientTag;
    this.peerAddress = peerAddress;
    this.connectedAt = connectedAt;
    this.lastActivityAtUnixMs = new AtomicLong(connectedAt.toEpochMilli());
  }

  public long id() {
    return id;
  }

  public String clientTag() {
    return clientTag;
  }

  public String peerAddress() {
    return peerAddress;
  }

  public Instant connectedAt() {
    return connectedAt;
  }

  /// When the client last asked for something.
  public Instant lastActivityAt() {
    return Instant.ofEpochMilli(lastActivityAtUnixMs.get());
  }

  /// The client asked for something.
  public void touch(Instant now) {
    lastActivityAtUnixMs.accumulateAndGet(now.toEpochMilli(), Math::max);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Session that && id == that.id;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  @Override
  public String toString() {
    return "session " + id + " (" + clientTag + ", " + peerAddress + ")";
  }
}
