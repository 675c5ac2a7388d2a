// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The first bytes of a stream that may have more.
final class FirstBytes extends FilterInputStream {

  private long left;

  FirstBytes(InputStream in, long sizeBytes) {
    super(in);
    left = sizeBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(bytes, offset, (int) Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }
}
