// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.access.Authenticator;
import dev.varve.socket.PeerStream;
import java.io.IOException;

/// A peer that has connected, before anything was read from it.
interface AcceptedPeer {

  /// The connection to speak over. May wait for the peer, once, as TLS does.
  ///
  /// @throws IOException if the peer cannot be spoken with, or is a stranger
  PeerStream secured() throws IOException;

  /// The connection as it is, for the word that there is no room for the peer.
  PeerStream plain();

  /// Where the peer is, for people: `address:port`, or the user of a peer on this machine.
  String address();

  /// The authenticator that decides what the peer may do.
  Authenticator authenticator();

  /// Ends the connection now.
  void close() throws IOException;
}
