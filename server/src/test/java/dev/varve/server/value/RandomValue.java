// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Values of all kinds, as seeds give them.
public final class RandomValue {

  private RandomValue() {}

  /// @param depth how deep arrays and maps may nest
  public static PayloadValue of(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> PayloadValue.Nil.NIL;
      case 1 -> new PayloadValue.Bool(random.nextBoolean());
      case 2 -> PayloadValue.Int.of(random.nextLong() >> random.nextInt(64));
      case 3 -> PayloadValue.Int.unsigned(random.nextLong());
      case 4 -> new PayloadValue.Real(random.nextDouble());
      case 5 -> new PayloadValue.Text(text(random));
      case 6 -> {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        yield new PayloadValue.Bytes(Payload.wrap(bytes));
      }
      case 7 ->
          new PayloadValue.Items(
              IntStream.range(0, random.nextInt(5)).mapToObj(i -> of(random, depth - 1)).toList());
      default ->
          new PayloadValue.Entries(
              IntStream.range(0, random.nextInt(5))
                  .mapToObj(i -> new PayloadValue.Entry(key(random), of(random, depth - 1)))
                  .toList());
    };
  }

  private static PayloadValue key(SplittableRandom random) {
    return random.nextBoolean()
        ? PayloadValue.Int.of(random.nextInt(40))
        : new PayloadValue.Text(random.nextBoolean() ? "" + random.nextInt(40) : text(random));
  }

  private static String text(SplittableRandom random) {
    return random
        .ints(random.nextInt(40), 32, 0x2fff)
        .mapToObj(Character::toString)
        .reduce("", String::concat);
  }
}
