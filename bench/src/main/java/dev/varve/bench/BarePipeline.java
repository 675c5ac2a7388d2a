// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import com.github.luben.zstd.Zstd;
import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.Frame;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// The least cost of a durable append over a socket: read the frame, hash, compress, write with all
/// others that wait, force once, answer. No lookup, no index, no order, nothing that could be read
/// again.
final class BarePipeline implements AutoCloseable {

  private static final long FILE_BYTES = 256L << 20;

  private final ServerSocket server = new ServerSocket();
  private final FileChannel file;
  private final boolean forced;
  private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong turns = new AtomicLong();
  private final Thread writer = Thread.ofPlatform().daemon().unstarted(this::write);
  private long end;

  private static final class Waiting {
    final Thread caller = Thread.currentThread();
    final ByteBuffer bytes;
    volatile boolean done;

    Waiting(byte[] bytes, int length) {
      this.bytes = ByteBuffer.wrap(bytes, 0, length);
    }
  }

  BarePipeline(Path folder, boolean forced) throws IOException {
    this.forced = forced;
    file =
        FileChannel.open(
            folder.resolve("bare"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long at = 0; at < FILE_BYTES; at += zeros.capacity()) {
      file.write(zeros.clear(), at);
    }
    file.force(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    writer.start();
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      writer.interrupt();
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(socket.getInputStream(), 16 << 10));
      byte[] head = new byte[Frame.HEADER_BYTES];
      while (true) {
        in.readFully(head);
        Frame.Header header = Frame.Header.read(head);
        byte[] payload = new byte[(int) header.length()];
        in.readFully(payload);
        Frame frame = new Frame(header.type(), header.flags(), header.reqId(), payload);
        Request request = Request.read(frame);
        FieldWriter fields = new FieldWriter(64);
        answer(request).write(fields);
        byte[] bytes = fields.frame(request.type(), 0, header.reqId());
        socket.getOutputStream().write(bytes, 0, fields.frameBytes());
      }
    } catch (IOException e) {
      return; // the client has left
    }
  }

  private Response answer(Request request) {
    return switch (request) {
      case BasicRequest.CtxCreate _ -> new BasicResponse.Head(1, 0, 0);
      case BasicRequest.AppendTurn append -> {
        byte[] raw = append.payload().unsafeArray();
        BlobHash hash = Blake3.hash(raw);
        byte[] packed = Zstd.compress(raw, 1);
        Waiting waiting = new Waiting(packed, packed.length);
        queue.add(waiting);
        LockSupport.unpark(writer);
        while (!waiting.done) {
          LockSupport.park(this);
        }
        yield new BasicResponse.Appended(1, turns.incrementAndGet(), 0, hash);
      }
      default -> throw new IllegalArgumentException("appends only");
    };
  }

  private void write() {
    List<Waiting> batch = new ArrayList<>();
    while (!Thread.interrupted()) {
      for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
        batch.add(next);
      }
      if (batch.isEmpty()) {
        LockSupport.park(this);
        continue;
      }
      try {
        for (Waiting waiting : batch) {
          if (end + waiting.bytes.remaining() > FILE_BYTES) {
            end = 0;
          }
          end += file.write(waiting.bytes, end);
        }
        if (forced) {
          file.force(false);
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      for (Waiting waiting : batch) {
        waiting.done = true;
        LockSupport.unpark(waiting.caller);
      }
      batch.clear();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    file.close();
  }
}
