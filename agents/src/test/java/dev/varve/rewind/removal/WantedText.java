// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Content with a text in it.
final class WantedText extends WantedContent.Look {

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final String text;

  private WantedText(String text) {
    this.text = text;
  }

  static WantedContent of(String text) {
    return new WantedContent(_ -> new WantedText(text), Set.of());
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    taken.write(bytes, from, length);
  }

  @Override
  public boolean isFound() {
    return taken.toString(StandardCharsets.ISO_8859_1).contains(text);
  }
}
