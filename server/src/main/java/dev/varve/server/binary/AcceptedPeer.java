// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.access.Authenticator;
import dev.varve.socket.PeerStream;
import java.io.IOException;

/// A peer that has connected, before anything was read from it.
interface AcceptedPeer {

  /// The connection for messages. May wait for the peer once, as TLS does.
  ///
  /// @throws IOException if no connection with the peer can be made, or the peer is not admitted
  PeerStream secured() throws IOException;

  /// The connection as it is, for the message that there is no room for the peer.
  PeerStream plain();

  /// The peer's place, for people: `address:port`, or the user of a peer on this machine.
  String address();

  /// The authenticator that decides what the peer may do.
  Authenticator authenticator();

  /// Ends the connection now.
  void close() throws IOException;
}
