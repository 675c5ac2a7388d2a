// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// Payloads like those of agents: tool results as JSON, no two alike, that zstd makes about three times smaller.
final class Payloads {

  private static final String[] WORDS =
      ("public static final class record interface return import package void int long String byte"
              + " List Map Optional new this null true false if else for while switch case throw try"
              + " catch error warning value index count size offset length buffer stream reader"
              + " writer file path name type content result message session context turn parent head"
              + " hash store append read write open close force check verify test assert expect")
          .split(" ");

  private Payloads() {}

  /// The `number`-th payload of `sizeBytes` bytes.
  static byte[] of(long number, int sizeBytes) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder(sizeBytes + 64);
    text.append("{\"type\":\"tool_result\",\"id\":\"")
        .append(Long.toHexString(random.nextLong()))
        .append("\",\"content\":\"");
    while (text.length() < sizeBytes - 2) {
      switch (random.nextInt(12)) {
        case 0 -> text.append("\\n").append(" ".repeat(2 * random.nextInt(5)));
        case 1 -> text.append(random.nextInt(100_000)).append(' ');
        case 2 -> text.append(Integer.toHexString(random.nextInt())).append(' ');
        default -> text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(4) == 0 ? "." : " ");
      }
    }
    text.setLength(sizeBytes - 2);
    text.append("\"}");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
