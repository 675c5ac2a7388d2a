// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;

/// A JSON value that is produced by writing it: an answer, or a part of an answer.
///
/// Writing does not fail. Everything that can fail is done before the value is made, or is reported
/// within the value.
@FunctionalInterface
public interface JsonOutput {

  /// Writes one JSON value.
  void write(JsonGenerator json);

  /// The value as UTF-8.
  default byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writeTo(bytes);
    return bytes.toByteArray();
  }

  /// Writes the value as UTF-8 without keeping all of it in memory. Flushes `target` and does not
  /// close it.
  default void writeTo(OutputStream target) {
    try (JsonGenerator json = JsonStreams.generator(target)) {
      write(json);
    }
  }

  /// The value as text.
  default String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
