// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream that counts the bytes read from it. Any thread may ask for the count.
public final class CountedInput extends FilterInputStream {

  private volatile long sizeBytes;

  public CountedInput(InputStream in) {
    super(in);
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public int read() throws IOException {
    int one = super.read();
    add(one < 0 ? 0 : 1);
    return one;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    add(Math.max(count, 0));
    return count;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread reads
  private void add(int count) {
    sizeBytes += count;
  }
}
