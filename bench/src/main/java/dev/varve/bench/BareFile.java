// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// The cost of the disk itself: the payload's bytes written to one prefilled file and forced,
/// nothing else. With one caller it writes in the caller's thread; with more, a thread writes all
/// queued payloads and forces once.
final class BareFile implements StoreContender {

  private static final long FILE_BYTES = 256L << 20;

  private final FileChannel file;
  private final boolean grouped;
  private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong count = new AtomicLong();
  private final Thread thread;
  private volatile boolean closing;
  private long end;

  private static final class Waiting {
    final Thread caller = Thread.currentThread();
    final byte[] bytes;
    volatile boolean done;

    Waiting(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  BareFile(Path folder, boolean grouped) throws IOException {
    this.grouped = grouped;
    file =
        FileChannel.open(
            folder.resolve("bare"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long at = 0; at < FILE_BYTES; at += zeros.capacity()) {
      file.write(zeros.clear(), at);
    }
    file.force(true);
    thread = new Thread(this::run, "bare-writer");
    if (grouped) {
      thread.start();
    }
  }

  @Override
  public void append(int caller, byte[] payload) throws IOException {
    if (!grouped) {
      write(payload);
      file.force(false);
      return;
    }
    Waiting waiting = new Waiting(payload);
    queue.add(waiting);
    LockSupport.unpark(thread);
    while (!waiting.done) {
      LockSupport.park(this);
    }
  }

  private void write(byte[] payload) throws IOException {
    if (end + payload.length > FILE_BYTES) {
      end = 0;
    }
    file.write(ByteBuffer.wrap(payload), end);
    end += payload.length;
    count.incrementAndGet();
  }

  private void run() {
    List<Waiting> batch = new ArrayList<>();
    while (true) {
      for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
        batch.add(next);
      }
      if (batch.isEmpty()) {
        if (closing) {
          return;
        }
        LockSupport.park(this);
        continue;
      }
      try {
        for (Waiting waiting : batch) {
          write(waiting.bytes);
        }
        file.force(false);
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
  public long turns() {
    return count.get();
  }

  @Override
  public void close() throws IOException {
    closing = true;
    LockSupport.unpark(thread);
    file.close();
  }
}
