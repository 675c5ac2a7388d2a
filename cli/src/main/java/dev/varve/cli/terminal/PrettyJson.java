// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.io.StringWriter;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/// JSON, indented for people. Names, order and the digits of numbers stay as they are; only white
/// space changes.
public final class PrettyJson {

  private static final JsonFactory JSON = new JsonFactory();

  private PrettyJson() {}

  /// The text indented, if it is one JSON object or array.
  public static Optional<String> find(String text) {
    String start = text.stripLeading();
    if (!start.startsWith("{") && !start.startsWith("[")) {
      return Optional.empty();
    }
    StringWriter pretty = new StringWriter();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text);
        JsonGenerator generator = JSON.createGenerator(indenting(), pretty)) {
      parser.nextToken();
      copy(parser, generator);
      if (parser.nextToken() != null) {
        return Optional.empty(); // more follows: lines of JSON are shown as they are
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return Optional.of(pretty.toString());
  }

  private static ObjectWriteContext indenting() {
    DefaultIndenter two = new DefaultIndenter("  ", "\n");
    PrettyPrinter printer =
        new DefaultPrettyPrinter(
                Separators.createDefaultInstance()
                    .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withArrayIndenter(two)
            .withObjectIndenter(two);
    return new ObjectWriteContext.Base() {
      @Override
      public PrettyPrinter getPrettyPrinter() {
        return printer;
      }
    };
  }

  private static void copy(JsonParser from, JsonGenerator to) {
    int depth = 0;
    JsonToken token = from.currentToken();
    do {
      if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
        to.writeNumber(from.getString()); // its digits, not its value
      } else {
        to.copyCurrentEvent(from);
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      token = depth == 0 ? null : from.nextToken();
    } while (token != null);
  }
}
