// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.varve.StoreException;
import dev.varve.secrets.RuleAllowance.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.toml.TomlFactory;

/// A file of rules in gitleaks' format, which is TOML.
///
/// Parts about files rather than text are ignored: a rule for files of a certain `path`, because
/// its pattern would match too much in other texts, and the paths of allow-lists. An allow-list
/// that requires a path *and* another condition allows nothing.
///
/// @param allowances the exceptions for the credentials of all rules
/// @param extendsDefault true if the file adds to the rules that come with Varve
record RuleFile(List<SecretRule> rules, List<RuleAllowance> allowances, boolean extendsDefault) {

  private static final int RULES_MAX = 10_000;

  /// @param name the name of the file in refusals
  /// @throws StoreException.Invalid if the text does not have the format
  static RuleFile parse(String toml, String name) {
    try (JsonParser parser = new TomlFactory().createParser(ObjectReadContext.empty(), toml)) {
      parser.nextToken();
      if (value(parser) instanceof Map<?, ?> root) {
        return read(root, name);
      }
      throw new StoreException.Invalid(name, "expected a table");
    } catch (JacksonException e) {
      throw new StoreException.Invalid(name, "is not TOML: " + e.getOriginalMessage());
    } catch (PatternSyntaxException e) {
      throw new StoreException.Invalid(
          name, "a pattern that RE2 does not accept: " + e.getMessage());
    }
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> table = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          Object value = value(parser);
          if (value != null) {
            table.put(name, value);
          }
        }
        yield table;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          Object value = value(parser);
          if (value != null) {
            array.add(value);
          }
        }
        yield array;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_STRING -> parser.getString();
      default -> null;
    };
  }

  private static RuleFile read(Map<?, ?> root, String name) {
    List<SecretRule> rules = new ArrayList<>();
    for (Map<?, ?> rule : tables(root.get("rules"))) {
      String id = text(rule, "id");
      String regex = text(rule, "regex");
      if (id.isEmpty()) {
        throw new StoreException.Invalid(name, "a rule has no id");
      }
      if (!regex.isEmpty() && text(rule, "path").isEmpty()) {
        rules.add(rule(rule, id, regex));
      }
      if (rules.size() > RULES_MAX) {
        throw new StoreException.TooLarge(name + ": rules", rules.size(), RULES_MAX);
      }
    }
    boolean extendsDefault =
        root.get("extend") instanceof Map<?, ?> extend
            && Boolean.TRUE.equals(extend.get("useDefault"));
    return new RuleFile(rules, allowances(root), extendsDefault);
  }

  private static SecretRule rule(Map<?, ?> rule, String id, String regex) {
    double entropyMin = number(rule, "entropy");
    SecretGroup group = new SecretGroup((int) number(rule, "secretGroup"));
    return new SecretRule(
        id,
        text(rule, "description"),
        lazily(regex),
        MatchWindow.of(regex),
        PrefixFilter.of(regex, group, value -> SecretRule.possible(id, entropyMin, value)),
        group,
        entropyMin,
        texts(rule, "keywords").stream().map(word -> word.toLowerCase(Locale.ROOT)).toList(),
        allowances(rule));
  }

  /// Compiles every pattern, so that a wrong pattern is refused before a scan begins.
  RuleFile compiled(String name) {
    try {
      for (SecretRule rule : rules) {
        Pattern made = rule.pattern().get();
        if (made.groupCount() < rule.group().number()) {
          throw new StoreException.Invalid(
              name, "rule " + rule.id() + ": its pattern has no group " + rule.group().number());
        }
      }
      return this;
    } catch (PatternSyntaxException e) {
      throw new StoreException.Invalid(
          name, "a pattern that RE2 does not accept: " + e.getMessage());
    }
  }

  /// A pattern that is compiled when it is first tried: most patterns never are.
  private static Supplier<Pattern> lazily(String regex) {
    return new Supplier<>() {
      private @Nullable Pattern compiled;

      @Override
      public Pattern get() {
        Pattern pattern = compiled;
        if (pattern == null) {
          pattern = Pattern.compile(regex);
          compiled = pattern;
        }
        return pattern;
      }
    };
  }

  private static List<RuleAllowance> allowances(Map<?, ?> owner) {
    List<Map<?, ?>> tables = new ArrayList<>(tables(owner.get("allowlists")));
    if (owner.get("allowlist") instanceof Map<?, ?> one) {
      tables.add(one);
    }
    List<RuleAllowance> allowances = new ArrayList<>();
    for (Map<?, ?> table : tables) {
      boolean all = text(table, "condition").equalsIgnoreCase("AND");
      if (all && (table.get("paths") != null || table.get("commits") != null)) {
        continue;
      }
      Target target =
          switch (text(table, "regexTarget")) {
            case "match" -> Target.MATCH;
            case "line" -> Target.LINE;
            default -> Target.SECRET;
          };
      allowances.add(
          new RuleAllowance(
              target,
              all,
              texts(table, "regexes").stream().map(Pattern::compile).toList(),
              texts(table, "stopwords").stream().map(w -> w.toLowerCase(Locale.ROOT)).toList()));
    }
    return allowances;
  }

  private static List<Map<?, ?>> tables(@Nullable Object value) {
    List<Map<?, ?>> tables = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof Map<?, ?> table) {
          tables.add(table);
        }
      }
    }
    return tables;
  }

  private static String text(Map<?, ?> table, String name) {
    return table.get(name) instanceof String text ? text : "";
  }

  private static double number(Map<?, ?> table, String name) {
    return table.get(name) instanceof Double number ? number : 0;
  }

  private static List<String> texts(Map<?, ?> table, String name) {
    List<String> texts = new ArrayList<>();
    if (table.get(name) instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof String text) {
          texts.add(text);
        }
      }
    }
    return texts;
  }
}
