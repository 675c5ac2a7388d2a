// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// A connection as the HTTP library sees it, which reports to a [PeerTimeout] when it waits for its
/// peer.
final class TimedContext implements ConnectionContext {

  private final ConnectionContext context;
  private final DataReader reader;
  private final DataWriter writer;

  TimedContext(ConnectionContext context, PeerTimeout timeout) {
    this.context = context;
    this.reader = DataReader.create(() -> next(context.dataReader(), timeout));
    this.writer = new TimedWriter(context.dataWriter(), timeout);
  }

  private static byte[] next(DataReader in, PeerTimeout timeout) {
    timeout.reads();
    in.ensureAvailable();
    int available = in.available();
    timeout.came(available);
    return in.readBytes(available);
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public DataWriter dataWriter() {
    return writer;
  }

  @Override
  public ListenerContext listenerContext() {
    return context.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return context.executor();
  }

  @Override
  public Router router() {
    return context.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return context.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return context.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return context.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return context.localPeer();
  }

  @Override
  public boolean isSecure() {
    return context.isSecure();
  }

  @Override
  public String socketId() {
    return context.socketId();
  }

  @Override
  public String childSocketId() {
    return context.childSocketId();
  }

  private record TimedWriter(DataWriter out, PeerTimeout timeout) implements DataWriter {

    @Override
    public void write(BufferData... buffers) {
      timeout.writes(available(buffers));
      out.write(buffers);
      timeout.wrote();
    }

    @Override
    public void write(BufferData buffer) {
      timeout.writes(buffer.available());
      out.write(buffer);
      timeout.wrote();
    }

    @Override
    public void writeNow(BufferData... buffers) {
      timeout.writes(available(buffers));
      out.writeNow(buffers);
      timeout.wrote();
    }

    @Override
    public void writeNow(BufferData buffer) {
      timeout.writes(buffer.available());
      out.writeNow(buffer);
      timeout.wrote();
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      out.close();
    }

    private static int available(BufferData... buffers) {
      int bytes = 0;
      for (BufferData buffer : buffers) {
        bytes += buffer.available();
      }
      return bytes;
    }
  }
}
