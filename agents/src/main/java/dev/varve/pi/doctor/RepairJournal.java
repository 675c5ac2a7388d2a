// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import dev.varve.files.FileDraft;
import dev.varve.imports.StrictJson;
import java.util.Base64;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/// Writes, step by step through the original, where each byte of it went
/// (docs/format/pi-repair.md).
final class RepairJournal {

  private static final byte[] LINE_FEED = {'\n'};

  /// A multiple of three, so that the parts of a long stretch have no padding between them.
  private static final int PART_BYTES = 48 << 10;

  private final FileDraft file;
  private long sameAt;
  private long sameBytes;
  private long leftOutBytes;

  RepairJournal(FileDraft file, SessionDiagnosis of) {
    this.file = file;
    line(
        json -> {
          json.writeStringProperty("type", "varve.pi.repair");
          json.writeNumberProperty("version", 1);
          json.writeStringProperty("original_file", of.file().toString());
          json.writeNumberProperty("original_size_bytes", of.sizeBytes());
          json.writeStringProperty("original_hash", of.hash().toString());
        });
  }

  /// The next bytes of the original stand in the copy too.
  ///
  /// @param at where
  void same(long at, long sizeBytes) {
    if (sameBytes > 0 && sameAt + sameBytes == at) {
      sameBytes += sizeBytes;
      return;
    }
    endSame();
    sameAt = at;
    sameBytes = sizeBytes;
  }

  private void endSame() {
    if (sameBytes > 0) {
      line(
          json -> {
            json.writeStringProperty("op", "same");
            json.writeNumberProperty("at", sameAt);
            json.writeNumberProperty("size_bytes", sameBytes);
          });
      sameBytes = 0;
    }
  }

  /// The next bytes of the original are not in the copy.
  void leftOut(byte[] bytes, int from, int to, String why) {
    endSame();
    leftOutBytes += to - from;
    for (int at = from; at < to; at += PART_BYTES) {
      byte[] part = new byte[Math.min(PART_BYTES, to - at)];
      System.arraycopy(bytes, at, part, 0, part.length);
      line(
          json -> {
            json.writeStringProperty("op", "left_out");
            json.writeStringProperty("why", why);
            json.writeStringProperty("base64", Base64.getEncoder().encodeToString(part));
          });
    }
  }

  void end(long repairedBytes, BlobHash repaired) {
    endSame();
    line(
        json -> {
          json.writeStringProperty("op", "end");
          json.writeNumberProperty("repaired_size_bytes", repairedBytes);
          json.writeStringProperty("repaired_hash", repaired.toString());
        });
  }

  long leftOutBytes() {
    return leftOutBytes;
  }

  private void line(Consumer<JsonGenerator> fields) {
    byte[] line =
        StrictJson.write(
            json -> {
              json.writeStartObject();
              fields.accept(json);
              json.writeEndObject();
            });
    file.write(line, 0, line.length);
    file.write(LINE_FEED, 0, 1);
  }
}
