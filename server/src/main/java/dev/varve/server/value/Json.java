// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// How the service reads and writes JSON: as a stream, strictly, within bounds.
public final class Json {

  /// Deep enough for any payload within [Bounds], with what a projection puts around its parts.
  private static final int WRITE_DEPTH_MAX = 2_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(256)
                  .maxStringLength(64 << 20)
                  .maxNameLength(64 << 10)
                  .maxNumberLength(1_000)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(WRITE_DEPTH_MAX).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Names come from outside and would stay for ever.
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .build();

  /// A part of an answer. Writing is all there is to it: what can fail was done before, or is told
  /// in what is written.
  @FunctionalInterface
  public interface Answer {

    /// Writes one JSON value.
    void write(JsonGenerator json);

    /// The value as UTF-8.
    default byte[] bytes() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      writeTo(bytes);
      return bytes.toByteArray();
    }

    /// Writes the value as UTF-8 without holding all of it; `target` is flushed, not closed.
    default void writeTo(OutputStream target) {
      try (JsonGenerator json =
          FACTORY.createGenerator(ObjectWriteContext.empty(), new Unclosed(target))) {
        write(json);
      }
    }

    /// The value as text.
    default String text() {
      return new String(bytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  /// Closing a generator is how it is finished; whose stream it is closes that.
  private static final class Unclosed extends java.io.FilterOutputStream {
    Unclosed(OutputStream target) {
      super(target);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws java.io.IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws java.io.IOException {
      flush();
    }
  }

  private Json() {}

  /// A parser of UTF-8 that refuses a name that stands twice in one object.
  public static JsonParser parser(byte[] utf8) {
    return FACTORY.createParser(ObjectReadContext.empty(), utf8);
  }
}
