// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.Payload;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.Frame;
import dev.varve.wire.Response;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/// One connection that asks as cxdb's clients do: a request, then its answer. For one thread.
final class WireClient implements AutoCloseable {

  private static final int TIMEOUT_MS = 60_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private long lastId;

  WireClient(InetSocketAddress address) throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(address);
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
  }

  long createContext() throws IOException {
    return ((BasicResponse.Head) ask(new BasicRequest.CtxCreate(0), 16)).contextId();
  }

  /// @param key of the append, empty for none
  BasicResponse.Appended append(long context, byte[] payload, Payload key) throws IOException {
    BasicRequest request =
        new BasicRequest.AppendTurn(
            context,
            0,
            "bench.Message",
            1,
            1,
            0,
            payload.length,
            Blake3.hash(payload),
            Payload.wrap(payload),
            key,
            null);
    return (BasicResponse.Appended) ask(request, payload.length + 160);
  }

  BasicResponse.Turns last(long context, int limit) throws IOException {
    return (BasicResponse.Turns) ask(new BasicRequest.GetLast(context, limit, 1), 32);
  }

  /// The bytes of the answer, without making turns of them.
  int lastBytes(long context, int limit) throws IOException {
    send(new BasicRequest.GetLast(context, limit, 1), 32);
    return receive().payload().length;
  }

  private Response ask(BasicRequest request, int sizeBytes) throws IOException {
    send(request, sizeBytes);
    Response response = Response.read(request, receive());
    if (response instanceof ErrorResponse error) {
      throw new IOException(error.code() + ": " + error.detail());
    }
    return response;
  }

  private void send(BasicRequest request, int sizeBytes) throws IOException {
    FieldWriter fields = request.fields(sizeBytes);
    byte[] frame = fields.frame(request.type(), request.flags(), ++lastId);
    socket.getOutputStream().write(frame, 0, fields.frameBytes());
  }

  private Frame receive() throws IOException {
    byte[] head = new byte[Frame.HEADER_BYTES];
    in.readFully(head);
    Frame.Header header = Frame.Header.read(head);
    byte[] payload = new byte[(int) header.length()];
    in.readFully(payload);
    return new Frame(header.type(), header.flags(), header.reqId(), payload);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
