// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.wire.Frame;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands between a client and a server; can end the connection when an answer comes, so that the
/// server has done what the client does not know of.
final class LossyProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final InetSocketAddress server;
  private final AtomicBoolean losing = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();
  private volatile boolean swallowing;

  private LossyProxy(InetSocketAddress server) throws IOException {
    this.server = server;
    this.listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  static LossyProxy before(InetSocketAddress server) throws IOException {
    LossyProxy proxy = new LossyProxy(server);
    Thread.ofVirtual().start(proxy::accept);
    return proxy;
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  void loseNextAnswer() {
    losing.set(true);
  }

  void swallowAnswers() {
    swallowing = true;
  }

  int lost() {
    return lost.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket behind = new Socket(server.getAddress(), server.getPort());
        Thread.ofVirtual().start(() -> requests(client, behind));
        Thread.ofVirtual().start(() -> answers(behind, client));
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private static void requests(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      return; // one of them has left
    }
  }

  private void answers(Socket from, Socket to) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      byte[] head = new byte[Frame.HEADER_BYTES];
      for (boolean first = true; ; first = false) { // the first one answers the introduction
        in.readFully(head);
        byte[] payload = new byte[(int) Frame.Header.read(head).length()];
        in.readFully(payload);
        if (!first && losing.compareAndSet(true, false)) {
          lost.incrementAndGet();
          return;
        }
        if (!swallowing) {
          to.getOutputStream().write(head);
          to.getOutputStream().write(payload);
        }
      }
    } catch (IOException e) {
      return; // one of them has left
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
