// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/// A stream that reports the number of bytes as they are written.
public final class MeteredOutput extends FilterOutputStream {

  private final LongConsumer written;

  public MeteredOutput(OutputStream out, LongConsumer written) {
    super(out);
    this.written = written;
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    written.accept(1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    written.accept(length);
  }
}
