// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

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
    BigDecimal wanted = new BigDecimal(text);
    BigDecimal held = new BigDecimal(nearest);
    MathContext digits = new MathContext(Math.max(1, wanted.precision()), RoundingMode.HALF_EVEN);
    return held.compareTo(wanted) == 0 || held.round(digits).compareTo(wanted) == 0;
  }

  static PayloadValue value(String text) {
    return isDouble(text)
        ? new PayloadValue.Real(Double.parseDouble(text))
        : new PayloadValue.Decimal(text);
  }
}
