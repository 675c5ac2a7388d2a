// SPDX-License-Identifier: Apache-2.0
package dev.varve.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/// A connection to a peer: bytes in both directions. One thread may read while another writes, and
/// a third may close; reader and writer then get an [IOException].
public interface PeerStream extends AutoCloseable {

  /// Bytes that the peer sends.
  InputStream in();

  /// Bytes that the peer is sent; nothing is kept back.
  OutputStream out();

  /// Declares to the peer that no more bytes come. Reading goes on.
  void endOutput() throws IOException;

  /// Returns whether this side has not closed the connection.
  boolean isOpen();

  /// Ends the connection in both directions. Idempotent.
  @Override
  void close() throws IOException;

  /// A TCP connection, with or without TLS.
  static PeerStream of(Socket socket) throws IOException {
    return new OfSocket(socket, socket.getInputStream(), socket.getOutputStream());
  }

  /// A connection over a channel in blocking mode, such as that of a Unix-domain socket.
  static PeerStream of(SocketChannel channel) {
    return new OfChannel(
        channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
  }

  /// A [Socket] and its two streams.
  record OfSocket(Socket socket, InputStream in, OutputStream out) implements PeerStream {
    @Override
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    public boolean isOpen() {
      return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /// A [SocketChannel] and its two streams.
  record OfChannel(SocketChannel channel, InputStream in, OutputStream out) implements PeerStream {
    @Override
    public void endOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
