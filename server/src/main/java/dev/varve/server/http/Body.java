// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A request's body as it comes. That it breaks off, or is framed wrongly, is an [IOException]
/// here, as everywhere; the HTTP library has exceptions of its own for it.
final class Body extends FilterInputStream {

  Body(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (RuntimeException e) {
      throw brokenOff(e);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return in.read(bytes, offset, length);
    } catch (RuntimeException e) {
      throw brokenOff(e);
    }
  }

  private static IOException brokenOff(RuntimeException e) {
    String why = e.getMessage();
    return new IOException(why == null ? "the client is gone" : why, e);
  }
}
