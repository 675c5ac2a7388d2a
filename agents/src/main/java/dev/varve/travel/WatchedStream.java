// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A stream that is closed when it has given nothing for too long: who waits for its next byte then
/// is refused.
final class WatchedStream extends FilterInputStream {

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile long given;
  private volatile boolean givenUp;

  WatchedStream(InputStream in, Duration patience) {
    super(in);
    Thread.ofVirtual().name("blob-patience").start(() -> watch(patience));
  }

  private void watch(Duration patience) {
    long before = -1;
    try {
      while (given != before) {
        before = given;
        if (closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      givenUp = true;
      in.close();
    } catch (InterruptedException | IOException e) {
      // nobody interrupts it, and who reads is told by the stream
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      int read = in.read(bytes, offset, length);
      if (givenUp) {
        throw silent();
      }
      long total = given + Math.max(0, read); // only the reader writes it
      given = total;
      return read;
    } catch (IOException e) {
      throw givenUp ? silent() : e;
    }
  }

  private static IOException silent() {
    return new IOException("said nothing for too long");
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    in.close();
  }
}
