// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/// A client of the service while it is connected: on the binary port, one connection.
///
/// Equal when the numbers are equal.
public final class ClientSession {

  private final long id;
  private final String clientTag;
  private final String peerAddress;
  private final Instant connectedAt;
  private final AtomicLong lastActivityAtUnixMs;

  /// @param id unique while the server runs, from 1
  /// @param clientTag the client's name for itself; may be empty
  /// @param peerAddress `address:port` as the server sees it
  public ClientSession(long id, String clientTag, String peerAddress, Instant connectedAt) {
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

  /// The time of the client's last request.
  public Instant lastActivityAt() {
    return Instant.ofEpochMilli(lastActivityAtUnixMs.get());
  }

  /// Records a request of the client.
  public void touch(Instant now) {
    lastActivityAtUnixMs.accumulateAndGet(now.toEpochMilli(), Math::max);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClientSession that && id == that.id;
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
