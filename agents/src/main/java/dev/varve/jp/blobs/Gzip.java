// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Gzip with nothing in it but the content: one member, no name, no time, no system.
///
/// Header `1f 8b 08 00 00000000 00 ff`, level 6.
final class Gzip {

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int LEVEL = 6;

  private Gzip() {}

  static byte[] compress(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length / 3 + 64);
    out.writeBytes(HEADER);
    byte[] buffer = new byte[16 << 10];
    try (Deflater deflater = new Deflater(LEVEL, true)) {
      deflater.setInput(content);
      deflater.finish();
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
    }
    CRC32 crc = new CRC32();
    crc.update(content);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.writeBytes(trailer.putInt((int) crc.getValue()).putInt(content.length).array());
    return out.toByteArray();
  }
}
