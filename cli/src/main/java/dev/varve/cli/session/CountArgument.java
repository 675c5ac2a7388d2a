// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.StoreLimits;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The number of entries to list, of the option `-n`.
public final class CountArgument implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String text) {
    int most = StoreLimits.DEFAULTS.pageTurns();
    int count;
    try {
      count = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("expected a number, found '" + text + "'");
    }
    if (count < 0 || count > most) {
      throw new TypeConversionException("expected 0 to " + most + ", found " + count);
    }
    return count;
  }
}
