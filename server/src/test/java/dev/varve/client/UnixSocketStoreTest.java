// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.server.binary.BinaryPort;
import dev.varve.socket.SocketFile;

/// A store over the socket in its folder keeps the contract that a local one keeps.
class UnixSocketStoreTest extends RemoteStoreTest {

  @Override
  protected RemoteStore connect(BinaryPort port, SocketFile socket) {
    return RemoteStore.connect(socket, RemoteOptions.DEFAULTS);
  }
}
