// SPDX-License-Identifier: Apache-2.0
package dev.varve.branch;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// How this room reads JSON: as a stream, strictly, and flat.
final class Json {

  private static final int DEPTH_MAX = 64;
  private static final int STRING_MAX = 1 << 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxStringLength(STRING_MAX)
                  .maxNameLength(STRING_MAX)
                  .build())
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private Json() {}

  static JsonParser parser(byte[] bytes) {
    return FACTORY.createParser(ObjectReadContext.empty(), bytes);
  }
}
