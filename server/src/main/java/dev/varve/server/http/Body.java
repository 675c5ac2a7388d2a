// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request's body as it comes. That it breaks off, or is framed wrongly, is an [IOException]
/// here, as everywhere; the HTTP library has exceptions of its own for it.
///
/// It is asked for when its first byte is: a client may wait for that before it sends any.
final class Body extends InputStream {

  private final Supplier<InputStream> source;
  private @Nullable InputStream opened;

  Body(Supplier<InputStream> source) {
    this.source = source;
  }

  private InputStream in() {
    InputStream in = opened;
    if (in == null) {
      in = source.get();
      opened = in;
    }
    return in;
  }

  @Override
  public int read() throws IOException {
    try {
      return in().read();
    } catch (RuntimeException e) {
      throw brokenOff(e);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return in().read(bytes, offset, length);
    } catch (RuntimeException e) {
      throw brokenOff(e);
    }
  }

  private static IOException brokenOff(RuntimeException e) {
    return new IOException("it is framed wrongly, or its client is gone", e);
  }
}
