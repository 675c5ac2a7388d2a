// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// The surroundings in which agents look for their folders.
///
/// @param userHome the user's home folder
/// @param variables gives the value of a variable of the environment; empty text if it is not set
public record AgentEnvironment(Path userHome, UnaryOperator<String> variables) {

  /// The folder that a variable names; where the variable is not set, a folder of the user's home.
  ///
  /// @param name of the variable
  /// @param fallback relative to the home
  public Path folder(String name, String fallback) {
    String value = variables.apply(name);
    return value.isEmpty() ? userHome.resolve(fallback) : Path.of(value);
  }
}
