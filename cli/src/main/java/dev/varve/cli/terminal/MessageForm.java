// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.util.function.UnaryOperator;

/// The form of the lines on this process's standard error: as they are, unless a service was asked
/// for lines that a program can read.
public final class MessageForm {

  private static volatile UnaryOperator<String> current = UnaryOperator.identity();

  private MessageForm() {}

  /// Gives all later lines another form.
  public static void set(UnaryOperator<String> form) {
    current = form;
  }

  /// A message as a line of standard error, without the line's end.
  public static String of(String message) {
    return current.apply(message);
  }
}
