// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Payloads like those of agents that read source files: tool results as JSON with a piece of the
/// JDK's own sources, of which zstd makes about a third.
final class SamplePayloads {

  /// The size of the source text in memory.
  private static final int TEXT_BYTES = 24 << 20;

  private static final List<byte[]> SOURCES = sources();

  private SamplePayloads() {}

  private static List<byte[]> sources() {
    Path zip = Path.of(System.getProperty("java.home"), "lib", "src.zip");
    List<byte[]> sources = new ArrayList<>();
    long sizeBytes = 0;
    try (ZipFile file = new ZipFile(zip.toFile())) {
      for (ZipEntry entry :
          (Iterable<ZipEntry>) file.stream().map(ZipEntry.class::cast)::iterator) {
        if (entry.getName().startsWith("java.base/") && entry.getSize() > 12_000) {
          byte[] text = file.getInputStream(entry).readAllBytes();
          sources.add(text);
          sizeBytes += text.length;
          if (sizeBytes > TEXT_BYTES) {
            break;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the JDK's sources are needed: " + zip, e);
    }
    return sources;
  }

  /// The `number`-th payload of `sizeBytes` bytes, at most 12,000. The first 60 bytes hold what
  /// makes it unlike others.
  static byte[] of(long number, int sizeBytes) {
    byte[] source = SOURCES.get((int) (number % SOURCES.size()));
    byte[] payload = new byte[sizeBytes];
    byte[] head =
        String.format("{\"type\":\"tool_result\",\"id\":\"%024d\",\"content\":\"", number)
            .getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(head, 0, payload, 0, head.length);
    int at = head.length;
    for (int i = 0; at < sizeBytes - 2; i++) {
      byte b = source[i % source.length];
      if (b == '\n' || b == '"' || b == '\\') {
        payload[at++] = '\\';
        payload[at++] = b == '\n' ? (byte) 'n' : b;
      } else {
        payload[at++] = b;
      }
    }
    payload[sizeBytes - 2] = '"';
    payload[sizeBytes - 1] = '}';
    return payload;
  }
}
