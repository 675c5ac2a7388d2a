// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.hash.Blake3;
import dev.varve.search.text.FoundText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;

/// The name of a distinct text: its kind and the first half of its BLAKE3 hash.
final class TextKeys {

  private static final int SIZE_BYTES = 16;

  private TextKeys() {}

  static BytesRef of(FoundText text) {
    byte[] bytes = (text.kind().word() + " " + text.text()).getBytes(StandardCharsets.UTF_8);
    return new BytesRef(Arrays.copyOf(Blake3.hash(bytes).bytes(), SIZE_BYTES));
  }
}
