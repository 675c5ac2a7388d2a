// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Which session a file is, so that it is found again when it has grown, and on another machine
/// (docs/format/pi-manifest.md, *Identity*).
///
/// The id alone is not enough: an export keeps it, and so does a copy. Where the file lies is too
/// much: sessions are moved and backed up.
public sealed interface SessionKey {

  DeclaredType TYPE = new DeclaredType("varve.pi.session", 1);

  /// The name of the file, without its folder.
  String fileName();

  /// A file with a header: its id and folder of work, and its own name.
  record Headed(String session, String cwd, String fileName) implements SessionKey {}

  /// A file without: the hash of its first line, and its name.
  record Headless(BlobHash firstLine, String fileName) implements SessionKey {}

  static SessionKey headed(SessionRecord.Header header, String fileName) {
    return new Headed(header.id(), header.cwd(), fileName);
  }

  /// The bytes of the root turn of the session's manifest context.
  default Payload payload() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {'V', 'I', 'P', 'S', 1, 0});
    switch (this) {
      case Headed(String session, String cwd, String fileName) -> {
        out.writeBytes(new byte[] {1, 0});
        write(session, out);
        write(cwd, out);
        write(fileName, out);
      }
      case Headless(BlobHash firstLine, String fileName) -> {
        out.writeBytes(new byte[] {0, 0});
        out.writeBytes(firstLine.bytes());
        write(fileName, out);
      }
    }
    return Payload.wrap(out.toByteArray());
  }

  private static void write(String text, ByteArrayOutputStream out) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(utf8.length);
    out.writeBytes(length.array());
    out.writeBytes(utf8);
  }
}
