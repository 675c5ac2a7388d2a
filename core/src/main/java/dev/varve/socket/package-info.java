// SPDX-License-Identifier: Apache-2.0
/// Connections to peers, over TCP and over Unix-domain sockets, as the client and the service use
/// them.
///
/// [PeerStream] is one connection, whatever it goes over. [SocketFile] is the name of a Unix-domain
/// socket in a folder of any depth. The messages are the room `wire`'s.
@NullMarked
package dev.varve.socket;

import org.jspecify.annotations.NullMarked;
