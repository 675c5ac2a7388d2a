// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import com.jcraft.jzlib.Deflater;
import com.jcraft.jzlib.GZIPException;
import com.jcraft.jzlib.JZlib;
import dev.varve.jp.blobs.Gunzip.Damaged;
import dev.varve.jp.blobs.Gunzip.TooMuch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// Gzip with nothing in it but the content: one member, no name, no time, no system.
///
/// Header `1f 8b 08 00 00000000 00 ff`, level 6. The same content gives the same bytes on every
/// machine, because the deflating is plain Java: that of the JDK is the zlib it was built against,
/// and those differ (docs/decisions/0051-jp-deflate.md).
public final class Gzip {

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int LEVEL = 6;
  private static final int WINDOW_BITS = 15;
  private static final int PIECE_BYTES = 16 << 10;

  private Gzip() {}

  /// The bytes of the file. They are inflated again, by the JDK's zlib, before they are handed out.
  public static byte[] compress(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length / 3 + 64);
    out.writeBytes(HEADER);
    deflate(content, out);
    CRC32 crc = new CRC32();
    crc.update(content);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.writeBytes(trailer.putInt((int) crc.getValue()).putInt(content.length).array());
    byte[] gzip = out.toByteArray();
    prove(content, gzip);
    return gzip;
  }

  private static void deflate(byte[] content, ByteArrayOutputStream out) {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      Deflater deflater = new Deflater(LEVEL, WINDOW_BITS, true);
      deflater.setInput(content, 0, content.length, false);
      int status;
      do {
        deflater.setOutput(piece);
        status = deflater.deflate(JZlib.Z_FINISH);
        out.write(piece, 0, piece.length - deflater.avail_out);
      } while (status == JZlib.Z_OK);
      if (status != JZlib.Z_STREAM_END) {
        throw new AssertionError("deflate ended with " + status);
      }
      deflater.end();
    } catch (GZIPException e) {
      throw new AssertionError("deflate refuses level " + LEVEL, e);
    }
  }

  private static void prove(byte[] content, byte[] gzip) {
    int[] at = {0};
    try {
      Gunzip.inflate(
          new ByteArrayInputStream(gzip),
          content.length,
          (bytes, size) -> {
            if (!Arrays.equals(content, at[0], at[0] + size, bytes, 0, size)) {
              throw new AssertionError("deflated to another content, from byte " + at[0]);
            }
            at[0] += size;
          });
    } catch (Damaged | TooMuch | IOException e) {
      throw new AssertionError("deflated to what cannot be inflated", e);
    }
    if (at[0] != content.length) {
      throw new AssertionError("deflated to the first " + at[0] + " bytes only");
    }
  }
}
