// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The body of a request while it arrives. A body that breaks off or is framed wrongly is an
/// [IOException] here; the HTTP library throws exceptions of its own.
///
/// The library's stream is opened at the first read, because a client may wait for that before it
/// sends anything.
final class RequestBody extends InputStream {

  private final Supplier<InputStream> source;
  private @Nullable InputStream opened;

  RequestBody(Supplier<InputStream> source) {
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
