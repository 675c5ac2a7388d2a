// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// Reads and writes JSON of agents: as a stream, strictly, and within bounds.
///
/// Strings that nobody asks for are skipped without being held, so that the size of a line is
/// bounded only by the memory of the caller.
public final class StrictJson {

  /// The longest string that is ever looked at, in characters. Longer ones may only be passed over.
  public static final int STRING_MAX = 1 << 20;

  /// Far beyond any session, and harmless: each level costs some hundred bytes and no stack.
  private static final int DEPTH_MAX = 10_000;

  /// Enough for what Varve writes itself.
  private static final int FLAT_DEPTH_MAX = 64;

  private static final JsonFactory FACTORY = factory(DEPTH_MAX);
  private static final JsonFactory FLAT = factory(FLAT_DEPTH_MAX);

  private static JsonFactory factory(int depthMax) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(depthMax)
                .maxStringLength(STRING_MAX)
                .maxNameLength(STRING_MAX)
                .maxNumberLength(STRING_MAX)
                .build())
        // Zeros at the start of a line are damage, not UTF-16.
        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
        .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .build();
  }

  private StrictJson() {}

  /// A parser of the bytes from `from` to `to`.
  public static JsonParser parser(byte[] bytes, int from, int to) {
    return FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from);
  }

  /// A parser of a whole document that is nested 64 levels deep at most.
  public static JsonParser flatParser(byte[] bytes) {
    return FLAT.createParser(ObjectReadContext.empty(), bytes);
  }

  /// The bytes that `writer` writes.
  public static byte[] write(Consumer<? super JsonGenerator> writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      writer.accept(generator);
    }
    return bytes.toByteArray();
  }
}
