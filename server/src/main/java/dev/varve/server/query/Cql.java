// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.InstantSource;

/// Reads queries.
public final class Cql {

  /// The longest text, in characters.
  public static final int LENGTH_MAX = 10_000;

  /// How deep parentheses nest.
  public static final int DEPTH_MAX = 64;

  /// The most values in a query.
  public static final int VALUES_MAX = 1_000;

  private Cql() {}

  /// What became of a text.
  public sealed interface Reading {

    record Understood(Query query) implements Reading {}

    record Refused(CqlError error) implements Reading {}
  }

  /// @param clock what *24 hours ago* counts from
  public static Reading read(String text, InstantSource clock) {
    try {
      return new Reading.Understood(new Parser(Lexer.tokens(text), clock.instant()).query());
    } catch (CqlRefusal e) {
      return new Reading.Refused(e.error());
    }
  }
}
