// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CqlReaderTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  /// `-Dfuzz.runs=N` for more.
  private static final int RUNS = Integer.getInteger("fuzz.runs", 20_000);

  private static CqlReader.CqlResult read(String text) {
    return CqlReader.read(text, InstantSource.fixed(NOW));
  }

  private static CqlError error(String text) {
    return switch (read(text)) {
      case CqlReader.CqlResult.Refused(CqlError error) -> error;
      case CqlReader.CqlResult.Parsed(CqlQuery query) ->
          throw new AssertionError(text + ": " + query);
    };
  }

  private static boolean matches(String text, SearchableContext facts) {
    return switch (read(text)) {
      case CqlReader.CqlResult.Parsed(CqlQuery query) -> query.matches(facts);
      case CqlReader.CqlResult.Refused(CqlError error) ->
          throw new AssertionError(text + ": " + error);
    };
  }

  private record Known(
      long contextId,
      int headDepth,
      long createdAtUnixMs,
      boolean isLive,
      Map<TextField, String> texts,
      List<String> labels,
      @Nullable Long parent,
      @Nullable Long root)
      implements SearchableContext {

    @Override
    public @Nullable String text(TextField field) {
      return texts.get(field);
    }
  }

  private static final SearchableContext SOME =
      new Known(
          9_007_199_254_740_993L,
          7,
          Instant.parse("2026-11-28T00:00:00Z").toEpochMilli(),
          true,
          new EnumMap<>(
              Map.of(
                  TextField.TAG, "kilroy/run-1",
                  TextField.TITLE, "Ärger mit Ümlauten",
                  TextField.USER, "jay",
                  TextField.HOST, "Host-A",
                  TextField.TRACE_ID, "t-1")),
          List.of("a", "b c"),
          5L,
          null);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tag = 'kilroy/run-1'",
        "tag ^= \"kilroy/\"",
        "tag != 'other'",
        "tag ~= 'KILROY/RUN-1'",
        "tag ^~= 'KIL'",
        "tag IN ('x', 'kilroy/run-1')",
        "title ~= 'äRGER MIT üMLAUTEN'",
        "host ~= 'host-a'",
        "host ^~= 'HOST'",
        "service != 'x'",
        "NOT service = 'x'",
        "trace_id = 't-1'",
        "label = 'b c'",
        "label in ('x','a')",
        "label != 'x'",
        "id = 9007199254740993",
        "id != 9007199254740992",
        "id IN (1, 9007199254740993)",
        "parent = 5",
        "parent = '5'",
        "root != 5",
        "depth > 6 AND depth >= 7 and depth < 8 AND depth <= 7 AND depth = 7 AND depth != 8",
        "created > '-24h'",
        "created >= '2026-11-28'",
        "created = '2026-11-28T02:00:00+02:00'",
        "created < '-1m'",
        "created <= 9999999999999",
        "created > '-999999999w'",
        "created > -1",
        "is_live = true",
        "is_live = 'TRUE'",
        "is_live != false",
        "tag = 'x' OR user = 'jay' AND depth = 7",
        "(tag = 'x' OR user = 'jay') AND NOT (depth = 8)",
        "tag = 'x' or tag = 'kilroy/run-1'",
        "\n tag\t=\r\n'kilroy/run-1' ",
      })
  void aConditionHolds(String text) {
    assertThat(matches(text, SOME)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tag = 'Kilroy/run-1'",
        "tag ^= 'run'",
        "service = 'x'",
        "service ^= ''",
        "label = 'b'",
        "id = 9007199254740992",
        "root = 5",
        "depth > 18446744073709551615",
        "created > '-11h'",
        "created >= '2026-11-29'",
        "is_live = false",
        "NOT tag ^= 'kil'",
        "tag = 'x' AND user = 'jay' OR depth = 8",
      })
  void aConditionDoesNotHold(String text) {
    assertThat(matches(text, SOME)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`  `                    | SYNTAX_ERROR     | 1:3:2   | Empty query",
        "tag                     | SYNTAX_ERROR     | 1:4:3   | Expected operator",
        "tag =                   | SYNTAX_ERROR     | 1:6:5   | Expected value",
        "tag = x                 | SYNTAX_ERROR     | 1:7:6   | Expected value",
        "= 'x'                   | SYNTAX_ERROR     | 1:1:0   | Expected field name",
        "NOT NOT tag = 'x'       | SYNTAX_ERROR     | 1:5:4   | Expected field name",
        "tag = 'x' user = 'y'    | SYNTAX_ERROR     | 1:11:10 | Unexpected token after expression",
        "(tag = 'x'              | SYNTAX_ERROR     | 1:11:10 | Expected ')' after expression",
        "tag IN 'x'              | SYNTAX_ERROR     | 1:8:7   | Expected '(' after IN",
        "tag IN ('x' 'y')        | SYNTAX_ERROR     | 1:13:12 | Expected ')' after list values",
        "tag IN ()               | SYNTAX_ERROR     | 1:9:8   | Expected value",
        "tag = 'x                | SYNTAX_ERROR     | 1:7:6   | Unterminated string",
        "tag = 'x\\              | SYNTAX_ERROR     | 1:7:6   | Unterminated string",
        "tag ! 'x'               | SYNTAX_ERROR     | 1:5:4   | Expected '=' after '!'",
        "tag ^ 'x'               | SYNTAX_ERROR     | 1:5:4   | Expected '=' after '^'",
        "tag : 'x'               | SYNTAX_ERROR     | 1:5:4   | Unexpected character ':'",
        "title = 'ä€' and x = 1  | UNKNOWN_FIELD    | 1:18:20 | Unknown field 'x'. Valid fields:"
            + " id, tag, title, label, user, service, host, trace_id, parent, root, created, depth,"
            + " is_live",
        "Tag = 'x'               | UNKNOWN_FIELD    | 1:1:0   | Unknown field 'Tag'",
        "depth ^= 1              | INVALID_OPERATOR | 1:7:6   | Operator '^=' does not go with"
            + " field 'depth'",
        "label ~= 'x'            | INVALID_OPERATOR | 1:7:6   | which takes =, != and IN",
        "is_live > true          | INVALID_OPERATOR | 1:9:8   | which takes = and !=",
        "tag > 'x'               | INVALID_OPERATOR | 1:5:4   | Operator '>'",
        "created IN ('-1h')      | INVALID_OPERATOR | 1:9:8   | Operator 'IN'",
        "tag = 5                 | INVALID_VALUE    | 1:7:6   | Field 'tag' expects text in quotes,"
            + " found 5",
        "tag IN ('x', 5)         | INVALID_VALUE    | 1:14:13 | found 5",
        "id = 1.5                | INVALID_VALUE    | 1:6:5   | expects a whole number, found 1.5",
        "id = -7                 | INVALID_VALUE    | 1:6:5   | found -7",
        "id = 18446744073709551616 | INVALID_VALUE  | 1:6:5   | a whole number",
        "depth = 'deep'          | INVALID_VALUE    | 1:9:8   | found 'deep'",
        "created > 'soon'        | INVALID_VALUE    | 1:11:10 | found 'soon'",
        "created > '-1y'         | INVALID_VALUE    | 1:11:10 | or \"-24h\"",
        "created > '2026-02-30'  | INVALID_VALUE    | 1:11:10 | found '2026-02-30'",
        "is_live = 'yes'         | INVALID_VALUE    | 1:11:10 | expects true or false",
      })
  void anErrorPointsAtItsPlace(String text, CqlError.Kind kind, String place, String message) {
    CqlError error = error(text);
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error.message()).contains(message);
    CqlError.Position at = error.position();
    assertThat(at.line() + ":" + at.column() + ":" + at.offset()).isEqualTo(place);
  }

  @Test
  void linesAreCounted() {
    CqlError.Position at = error("tag = 'a'\n  AND\n  x = 1").position();
    assertThat(at).isEqualTo(new CqlError.Position(3, 3, 18));
  }

  @Test
  void escapesStandForTheirCharacters() {
    assertThat(read("tag = \"\\n\\t\\r\\\\\\\"\\'\\x\""))
        .isEqualTo(
            new CqlReader.CqlResult.Parsed(
                new CqlQuery.Text(
                    TextField.TAG, CqlQuery.TextComparison.EQUAL, List.of("\n\t\r\\\"'x"))));
  }

  @Test
  void whatCostsLittleIsAskedFirst() {
    CqlReader.CqlResult.Parsed read =
        (CqlReader.CqlResult.Parsed) read("tag = 'x' AND depth = 1 AND title = 'y'");
    assertThat(((CqlQuery.And) read.query()).parts().getFirst())
        .isInstanceOf(CqlQuery.Amount.class);
  }

  @Test
  void sizesAreBounded() {
    String nested = "(".repeat(CqlReader.DEPTH_MAX) + "depth = 1" + ")".repeat(CqlReader.DEPTH_MAX);
    assertThat(read(nested)).isInstanceOf(CqlReader.CqlResult.Parsed.class);
    assertThat(error("(" + nested + ")").message()).contains("deeper than 64");
    assertThat(error("(".repeat(9_000)).message()).contains("deeper than 64");
    assertThat(error("NOT ".repeat(2_000)).message()).contains("Expected field name");
    assertThat(error("x".repeat(CqlReader.LENGTH_MAX + 1)).message()).contains("longer than");
    assertThat(error("id IN (" + "1,".repeat(CqlReader.VALUES_MAX) + "1)").message())
        .contains("More than 1000 values");
    String wide = "id=1 OR ".repeat(999) + "id=1";
    assertThat(read(wide)).isInstanceOf(CqlReader.CqlResult.Parsed.class);
  }

  @Test
  void anyTextIsUnderstoodOrRefusedWithAPlaceInIt() {
    String[] words = {
      "tag", "label", "id", "created", "is_live", "depth", "x", "=", "!=", "^=", "~=", "^~=", ">",
      "<=", "IN", "(", ")", ",", "AND", "OR", "NOT", "'a'", "\"b\"", "7", "-1", "1.", "true", "'",
      "\\", "!", "é", "😀", "\n", "'-9h'", "\u0000"
    };
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
      }
      int length = text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
      switch (read(text.toString())) {
        case CqlReader.CqlResult.Parsed(CqlQuery query) -> query.matches(SOME);
        case CqlReader.CqlResult.Refused(CqlError error) ->
            assertThat(error.position().offset())
                .as("seed %d: %s", seed, text)
                .isBetween(0, length);
      }
    }
  }
}
