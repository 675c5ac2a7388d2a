// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import dev.varve.StoreException;
import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.query.SearchQuery.Words;
import java.util.ArrayList;
import java.util.List;

/// The parser of the query language (docs/search.md).
///
/// Words that stand side by side must all be there. What looks like a field and is none, such as
/// `std::vector` or `https://host`, is a word.
public final class SearchParser {

  /// The longest query, in characters.
  public static final int CHARS_MAX = 4096;

  private static final int DEPTH_MAX = 32;
  private static final int PARTS_MAX = 256;

  private final String text;
  private final List<Filter> filters = new ArrayList<>();
  private int at;
  private int parts;

  private SearchParser(String text) {
    this.text = text;
  }

  /// Reads a query.
  ///
  /// @throws StoreException.Invalid if it is none; names the column
  public static SearchQuery parse(String text) {
    if (text.length() > CHARS_MAX) {
      throw new StoreException.TooLarge("query", text.length(), CHARS_MAX);
    }
    SearchParser parser = new SearchParser(text);
    Words words = parser.any(0);
    if (parser.at < text.length()) {
      throw QueryProblem.at(parser.at + 1, "expected a word, found ')'");
    }
    if (words instanceof Words.Everything && parser.filters.isEmpty()) {
      throw QueryProblem.at(1, "expected words or a filter, found nothing");
    }
    return new SearchQuery(words, parser.filters);
  }

  private Words any(int depth) {
    if (depth > DEPTH_MAX) {
      throw QueryProblem.at(at + 1, "expected at most " + DEPTH_MAX + " parentheses in each other");
    }
    List<Words> alternatives = new ArrayList<>();
    int filtersBefore = filters.size();
    int start = at;
    alternatives.add(all(depth));
    while (isWord("OR")) {
      at += 2;
      alternatives.add(all(depth));
    }
    if (alternatives.size() == 1) {
      return alternatives.getFirst();
    }
    if (filters.size() > filtersBefore) {
      int column = filters.get(filtersBefore).column();
      throw QueryProblem.at(column, "expected words beside OR, found a filter");
    }
    if (alternatives.stream().anyMatch(Words.Everything.class::isInstance)) {
      throw QueryProblem.at(start + 1, "expected words on both sides of OR, found nothing");
    }
    return new Words.Any(alternatives);
  }

  private Words all(int depth) {
    List<Words> found = new ArrayList<>();
    while (true) {
      skipSpaces();
      if (at == text.length() || text.charAt(at) == ')' || isWord("OR")) {
        break;
      }
      if (isWord("AND")) {
        at += 3;
        continue;
      }
      Words part = part(depth, false);
      if (!(part instanceof Words.Everything)) {
        found.add(part);
      }
    }
    return found.isEmpty()
        ? new Words.Everything()
        : found.size() == 1 ? found.getFirst() : new Words.All(found);
  }

  /// Reads a part; [Words.Everything] for a filter, which is kept aside.
  private Words part(int depth, boolean negated) {
    if (++parts > PARTS_MAX) {
      throw QueryProblem.at(at + 1, "expected at most " + PARTS_MAX + " parts");
    }
    int start = at;
    if (isWord("NOT")) {
      at += 3;
      skipSpaces();
      return negation(start, depth, negated);
    }
    char c = text.charAt(at);
    if (c == '-' && isNegation()) {
      at++;
      return negation(start, depth, negated);
    }
    if (c == '(') {
      return group(depth, negated);
    }
    if (c == '"') {
      return new Words.Phrase(quoted());
    }
    if (c == '/') {
      int end = endOfPattern();
      if (end > 0) {
        String expression = text.substring(at + 1, end);
        at = end + 1;
        return new Words.Pattern(expression, start + 1);
      }
    }
    return wordOrFilter(negated);
  }

  private Words negation(int start, int depth, boolean negated) {
    if (negated || at == text.length()) {
      throw QueryProblem.at(start + 1, "expected something to leave out, found nothing");
    }
    Words part = part(depth, true);
    return part instanceof Words.Everything ? part : new Words.Not(part);
  }

  private Words group(int depth, boolean negated) {
    int start = at++;
    int filtersBefore = filters.size();
    Words inside = any(depth + 1);
    if (at == text.length()) {
      throw QueryProblem.at(start + 1, "expected ')' for this '(', found the end");
    }
    at++;
    if (negated && filters.size() > filtersBefore) {
      int column = filters.get(filtersBefore).column();
      throw QueryProblem.at(column, "expected words to leave out, found a filter in parentheses");
    }
    if (inside instanceof Words.Everything && filters.size() == filtersBefore) {
      throw QueryProblem.at(start + 1, "expected words in the parentheses, found nothing");
    }
    return inside;
  }

  private Words wordOrFilter(boolean negated) {
    int start = at;
    int colon = at;
    while (colon < text.length() && Character.isLetter(text.charAt(colon))) {
      colon++;
    }
    if (colon < text.length() && text.charAt(colon) == ':' && colon > at) {
      SearchField field = SearchField.find(text.substring(at, colon)).orElse(null);
      if (field != null) {
        at = colon + 1;
        boolean quoted = at < text.length() && text.charAt(at) == '"';
        String value = quoted ? quoted() : bare();
        if (value.isEmpty()) {
          throw QueryProblem.at(at + 1, "expected a value for " + field.word() + ", found nothing");
        }
        filters.add(new Filter(field, value, negated, start + 1));
        return new Words.Everything();
      }
    }
    String word = bare();
    return word.length() > 1 && word.endsWith("*")
        ? new Words.Prefix(word.substring(0, word.length() - 1))
        : new Words.Phrase(word);
  }

  /// Reads up to a space or a closing parenthesis that was not opened inside, so that `main()` is
  /// one word.
  private String bare() {
    int start = at;
    int open = 0;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      char c = text.charAt(at);
      open += c == '(' ? 1 : 0;
      if (c == ')' && --open < 0) {
        break;
      }
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted() {
    int start = at;
    StringBuilder content = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return content.toString();
      }
      if (c == '\\' && at + 1 < text.length()) {
        c = text.charAt(++at);
      }
      content.append(c);
    }
    throw QueryProblem.at(start + 1, "expected '\"' at the end of the phrase, found the end");
  }

  /// The place of the slash that ends the expression which begins here; -1 if this is a path.
  private int endOfPattern() {
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (Character.isWhitespace(c)) {
        return -1;
      } else if (c == '/') {
        boolean ends =
            i + 1 == text.length()
                || Character.isWhitespace(text.charAt(i + 1))
                || text.charAt(i + 1) == ')';
        return ends && i > at + 1 ? i : -1;
      }
    }
    return -1;
  }

  private boolean isNegation() {
    return at + 1 < text.length()
        && text.charAt(at + 1) != '-'
        && text.charAt(at + 1) != '>'
        && !Character.isWhitespace(text.charAt(at + 1));
  }

  private boolean isWord(String word) {
    int end = at + word.length();
    return text.startsWith(word, at)
        && (end == text.length() || Character.isWhitespace(text.charAt(end)));
  }

  private void skipSpaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }
}
