// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Payload;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.Frame;
import dev.varve.wire.Response;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Appends over the binary protocol, one turn after the other, until its connection ends; notes
/// what was acknowledged.
public final class AppendingClient {

  private static final int PATIENCE_MS = 120_000;

  /// What the client was told, and so may rely on.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Noted(long context, long turn, int depth, byte[] payload) {}

  private final InetSocketAddress address;
  private final int number;
  private final Thread thread;

  // ---- guarded by this
  private final List<Noted> acknowledged = new ArrayList<>();
  private long context;
  private String ending = "";

  private AppendingClient(InetSocketAddress address, int number) {
    this.address = address;
    this.number = number;
    this.thread = Thread.ofPlatform().daemon().unstarted(this::run);
  }

  public static AppendingClient start(InetSocketAddress address, int number) {
    AppendingClient client = new AppendingClient(address, number);
    client.thread.start();
    return client;
  }

  private void run() {
    String how;
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MS);
      socket.connect(address);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      long made =
          ((BasicResponse.Head) ask(socket, in, new BasicRequest.CtxCreate(0), 0)).contextId();
      synchronized (this) {
        context = made;
      }
      for (int i = 1; ; i++) {
        byte[] payload =
            ("client " + number + ", turn " + i)
                .repeat(1 + i % 50)
                .getBytes(StandardCharsets.UTF_8);
        BasicResponse.Appended answer =
            (BasicResponse.Appended) ask(socket, in, append(made, payload), i);
        note(new Noted(made, answer.turnId(), answer.depth(), payload));
      }
    } catch (IOException e) {
      how = e.toString();
    }
    synchronized (this) {
      ending = how;
      notifyAll();
    }
  }

  private static BasicRequest append(long context, byte[] payload) {
    return new BasicRequest.AppendTurn(
        context,
        0,
        "test.Message",
        1,
        1,
        0,
        payload.length,
        Blake3.hash(payload),
        Payload.wrap(payload),
        Payload.EMPTY,
        null);
  }

  private static Response ask(Socket socket, DataInputStream in, BasicRequest request, long id)
      throws IOException {
    FieldWriter fields = request.fields(256);
    byte[] frame = fields.frame(request.type(), request.flags(), id);
    socket.getOutputStream().write(frame, 0, fields.frameBytes());
    byte[] head = new byte[Frame.HEADER_BYTES];
    in.readFully(head);
    Frame.Header header = Frame.Header.read(head);
    byte[] payload = new byte[(int) header.length()];
    in.readFully(payload);
    Response response =
        Response.read(request, new Frame(header.type(), header.flags(), header.reqId(), payload));
    if (response instanceof ErrorResponse error) {
      throw new IOException(error.code() + ": " + error.detail());
    }
    return response;
  }

  private synchronized void note(Noted noted) {
    acknowledged.add(noted);
    notifyAll();
  }

  public synchronized List<Noted> acknowledged() {
    return List.copyOf(acknowledged);
  }

  public synchronized long context() {
    return context;
  }

  /// How the connection ended; empty as long as it has not.
  public synchronized String ending() {
    return ending;
  }

  public synchronized void awaitAcknowledged(int count) {
    while (acknowledged.size() < count) {
      if (!ending.isEmpty()) {
        throw new AssertionError(this + " ended too early: " + ending);
      }
      try {
        wait(PATIENCE_MS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  public void awaitEnd() {
    try {
      thread.join(PATIENCE_MS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (thread.isAlive()) {
      throw new AssertionError(this + " still waits for an answer");
    }
  }

  @Override
  public String toString() {
    return "client " + number;
  }
}
