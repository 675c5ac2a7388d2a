// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

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

/// Parsers and generators of JSON as the service uses them: streaming, strict and bounded.
final class JsonStreams {

  /// Deep enough for any payload within [ValueBounds] and the objects that a projection adds around
  /// it.
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
          // Names come from clients and would stay in memory for ever.
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .build();

  /// A generator that writes UTF-8 to `target`; closing the generator flushes `target` and leaves
  /// it open.
  static JsonGenerator generator(OutputStream target) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), new Unclosed(target));
  }

  /// A stream that stays open when the generator on it is closed. Closing a generator completes its
  /// output; the owner of the stream closes the stream.
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

  private JsonStreams() {}

  /// A parser of UTF-8 that refuses a repeated name within one object.
  static JsonParser parser(byte[] utf8) {
    return FACTORY.createParser(ObjectReadContext.empty(), utf8);
  }
}
