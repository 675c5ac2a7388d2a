// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// The representation of JSON's numbers with a fraction or an exponent.
public final class JsonNumbers {

  private JsonNumbers() {}

  /// Returns whether a double holds a number: the double, rounded to the number's digits, is the
  /// number. The rule accepts every text that prints a double, and refuses numbers that overflow,
  /// vanish or have more digits than a double.
  public static boolean isDouble(String text) {
    double nearest = Double.parseDouble(text);
    if (!Double.isFinite(nearest)) {
      return false;
    }
    BigDecimal wanted = decimal(text);
    if (wanted == null) {
      return false;
    }
    BigDecimal held = new BigDecimal(nearest);
    MathContext digits = new MathContext(Math.max(1, wanted.precision()), RoundingMode.HALF_EVEN);
    return held.compareTo(wanted) == 0 || held.round(digits).compareTo(wanted) == 0;
  }

  /// The number as a decimal with all its digits; null if the exponent has more than 32 bits.
  public static @Nullable BigDecimal decimal(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException _) {
      return null;
    }
  }

  /// Returns whether a text is a zero below zero, which whole numbers and decimals do not have.
  public static boolean isNegativeZero(String text) {
    return text.startsWith("-")
        && text.chars().takeWhile(c -> c != 'e' && c != 'E').noneMatch(c -> c >= '1' && c <= '9');
  }

  static PayloadValue value(String text) {
    return isDouble(text)
        ? new PayloadValue.Real(Double.parseDouble(text))
        : new PayloadValue.Decimal(text);
  }
}
