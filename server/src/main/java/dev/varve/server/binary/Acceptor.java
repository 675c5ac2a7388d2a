// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import java.io.IOException;

/// A place where peers of the binary port connect.
sealed interface Acceptor extends AutoCloseable permits TcpAcceptor, UnixAcceptor {

  /// The next peer that connects. Waits for nothing but that.
  ///
  /// @throws IOException if none can be accepted, or this is closed
  AcceptedPeer accept() throws IOException;

  /// Takes no more peers; those that were accepted stay connected.
  @Override
  void close() throws IOException;
}
