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

/// A connection as the HTTP library sees it, which tells a [Patience] when it waits for its peer.
final class PatientContext implements ConnectionContext {

  private final ConnectionContext context;
  private final DataReader reader;
  private final DataWriter writer;

  PatientContext(ConnectionContext context, Patience patience) {
    this.context = context;
    this.reader = DataReader.create(() -> next(context.dataReader(), patience));
    this.writer = new PatientWriter(context.dataWriter(), patience);
  }

  private static byte[] next(DataReader in, Patience patience) {
    patience.reads();
    in.ensureAvailable();
    int available = in.available();
    patience.came(available);
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

  private record PatientWriter(DataWriter out, Patience patience) implements DataWriter {

    @Override
    public void write(BufferData... buffers) {
      patience.writes(available(buffers));
      out.write(buffers);
      patience.wrote();
    }

    @Override
    public void write(BufferData buffer) {
      patience.writes(buffer.available());
      out.write(buffer);
      patience.wrote();
    }

    @Override
    public void writeNow(BufferData... buffers) {
      patience.writes(available(buffers));
      out.writeNow(buffers);
      patience.wrote();
    }

    @Override
    public void writeNow(BufferData buffer) {
      patience.writes(buffer.available());
      out.writeNow(buffer);
      patience.wrote();
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
