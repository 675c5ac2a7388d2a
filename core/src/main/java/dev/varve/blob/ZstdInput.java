// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The bytes inside a file that was compressed with zstd (RFC 8878), as a stream in bounded memory.
public final class ZstdInput extends FilterInputStream {

  /// The largest window, as a power of two: a frame that asks for more is refused.
  private static final int WINDOW_LOG_MAX = 27;

  private long left;

  private ZstdInput(InputStream bytes, long sizeMax) {
    super(bytes);
    this.left = sizeMax;
  }

  /// Opens a compressed stream; closing the result closes it.
  ///
  /// @param sizeMax more bytes than these are refused
  /// @throws IOException if the stream does not begin with a zstd frame; so do the reads of what is
  ///   damaged or cut
  public static InputStream of(InputStream compressed, long sizeMax) throws IOException {
    NativeZstd.load();
    ZstdInputStream bytes = new ZstdInputStream(compressed);
    bytes.setLongMax(WINDOW_LOG_MAX);
    return new ZstdInput(bytes, sizeMax);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    left -= Math.max(0, read);
    if (left < 0) {
      throw new IOException("a zstd frame holds more bytes than allowed");
    }
    return read;
  }
}
