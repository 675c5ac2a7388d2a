// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A stream that is closed when it has given nothing for too long, or, of a short answer, when it
/// has not ended by then: who waits for its next byte is refused.
final class WatchedStream extends FilterInputStream {

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile long given;
  private volatile boolean givenUp;

  private WatchedStream(InputStream in, Duration patience, boolean whole) {
    super(in);
    Thread.ofVirtual().name("blob-patience").start(() -> watch(patience, whole));
  }

  /// @param patience how long it may give nothing
  static WatchedStream ofBlob(InputStream in, Duration patience) {
    return new WatchedStream(in, patience, false);
  }

  /// @param patience how long all of it may take
  static WatchedStream ofAnswer(InputStream in, Duration patience) {
    return new WatchedStream(in, patience, true);
  }

  private void watch(Duration patience, boolean whole) {
    long before = -1;
    try {
      for (int turn = 0; turn == 0 || (!whole && given != before); turn = 1) {
        before = given;
        if (closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      givenUp = true;
      in.close();
    } catch (InterruptedException | IOException e) {
      // nobody interrupts the thread, and the stream reports the error to its reader
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
