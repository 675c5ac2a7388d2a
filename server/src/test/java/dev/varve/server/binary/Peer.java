// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Frame;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// A client that does exactly what a test says, right or wrong. A wait of half a minute is a
/// failure.
final class Peer implements AutoCloseable {

  private static final int PATIENCE_MS = 30_000;

  private final Socket socket;
  private long lastId;

  Peer(InetSocketAddress address) throws IOException {
    this(new Socket(address.getAddress(), address.getPort()));
  }

  Peer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
  }

  /// Sends any bytes.
  void raw(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /// Sends a request and does not wait for the answer.
  ///
  /// @return its `req_id`
  long send(Request request) throws IOException {
    var fields = request.fields(64);
    long id = ++lastId;
    socket
        .getOutputStream()
        .write(fields.frame(request.type(), request.flags(), id), 0, fields.frameBytes());
    return id;
  }

  /// The next frame; null if the server has ended the connection.
  @Nullable Frame receive() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] head = new byte[Frame.HEADER_BYTES];
    try {
      in.readFully(head);
      Frame.Header header = Frame.Header.read(head);
      byte[] payload = new byte[Math.toIntExact(header.length())];
      in.readFully(payload);
      return new Frame(header.type(), header.flags(), header.reqId(), payload);
    } catch (EOFException e) {
      return null;
    } catch (SocketException e) {
      return null; // reset: the server left while something was under way
    }
  }

  /// Sends a request, and gets the answer to it.
  Response ask(Request request) throws IOException {
    long id = send(request);
    Frame frame = receive();
    if (frame == null) {
      throw new EOFException("the server ended the connection");
    }
    if (frame.reqId() != id) {
      throw new AssertionError("asked " + id + ", answered " + frame.reqId());
    }
    return Response.read(request, frame);
  }

  /// The code of the ERROR that a request gets; 0 if it gets an answer.
  int code(Request request) throws IOException {
    return ask(request) instanceof ErrorResponse error ? error.code() : 0;
  }

  /// Whether the server ends the connection, whatever it sends before.
  boolean isEnded() throws IOException {
    while (receive() != null) {
      continue;
    }
    return true;
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
