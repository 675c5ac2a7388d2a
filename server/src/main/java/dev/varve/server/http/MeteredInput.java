// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream that counts the bytes that are read from it. For one thread.
final class MeteredInput extends FilterInputStream {

  private long bytes;

  MeteredInput(InputStream in) {
    super(in);
  }

  long bytes() {
    return bytes;
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    bytes += read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    bytes += Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(count);
    bytes += skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
