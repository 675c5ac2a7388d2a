// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Values of all kinds, as seeds give them.
public final class RandomValue {

  private RandomValue() {}

  /// @param depth how deep arrays and maps may nest
  public static Value of(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> Value.Nil.NIL;
      case 1 -> new Value.Bool(random.nextBoolean());
      case 2 -> Value.Int.of(random.nextLong() >> random.nextInt(64));
      case 3 -> Value.Int.unsigned(random.nextLong());
      case 4 -> new Value.Real(random.nextDouble());
      case 5 -> new Value.Text(text(random));
      case 6 -> {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        yield new Value.Bytes(Payload.wrap(bytes));
      }
      case 7 ->
          new Value.Items(
              IntStream.range(0, random.nextInt(5)).mapToObj(i -> of(random, depth - 1)).toList());
      default ->
          new Value.Entries(
              IntStream.range(0, random.nextInt(5))
                  .mapToObj(i -> new Value.Entry(key(random), of(random, depth - 1)))
                  .toList());
    };
  }

  private static Value key(SplittableRandom random) {
    return random.nextBoolean()
        ? Value.Int.of(random.nextInt(40))
        : new Value.Text(random.nextBoolean() ? "" + random.nextInt(40) : text(random));
  }

  private static String text(SplittableRandom random) {
    return random
        .ints(random.nextInt(40), 32, 0x2fff)
        .mapToObj(Character::toString)
        .reduce("", String::concat);
  }
}
