// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.InstantSource;

/// The reader of CQL queries.
public final class CqlReader {

  /// The longest query, in characters.
  public static final int LENGTH_MAX = 10_000;

  /// The deepest nesting of parentheses.
  public static final int DEPTH_MAX = 64;

  /// The most values in a query.
  public static final int VALUES_MAX = 1_000;

  private CqlReader() {}

  /// The result of reading a text.
  public sealed interface CqlResult {

    record Parsed(CqlQuery query) implements CqlResult {}

    record Refused(CqlError error) implements CqlResult {}
  }

  /// Reads a query.
  ///
  /// @param clock the origin of relative times such as `-24h`
  public static CqlResult read(String text, InstantSource clock) {
    try {
      return new CqlResult.Parsed(new CqlParser(CqlLexer.tokens(text), clock.instant()).query());
    } catch (CqlRefusal e) {
      return new CqlResult.Refused(e.error());
    }
  }
}
