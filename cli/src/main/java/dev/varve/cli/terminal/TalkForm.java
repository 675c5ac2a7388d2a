// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// The form of the lines on this process's standard error: as they are, unless a service was asked
/// for lines that a program can read.
public final class TalkForm {

  private static final AtomicReference<UnaryOperator<String>> FORM =
      new AtomicReference<>(UnaryOperator.identity());

  private TalkForm() {}

  /// Gives all later lines another form.
  public static void set(UnaryOperator<String> form) {
    FORM.set(form);
  }

  /// A message as a line of standard error, without the line's end.
  public static String of(String message) {
    return FORM.get().apply(message);
  }
}
