// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The user's list of values and places that are no credentials. Each line is one exception:
///
/// ```
/// # a remark
/// rule curl-auth-user
/// value EXAMPLE-KEY-0123456789
/// pattern ^test_[a-z0-9]+$
/// place 01a21eba…:07c4f587:/message/content/0/text:generic-api-key
/// ```
///
/// A scanned file cannot declare exceptions itself: its text may come from somebody else.
public final class AllowList {

  public static final AllowList EMPTY = new AllowList();

  private static final int FILE_BYTES_MAX = 16 << 20;

  private final Set<String> rules = new HashSet<>();
  private final Set<String> values = new HashSet<>();
  private final Set<String> places = new HashSet<>();
  private final List<Pattern> patterns = new ArrayList<>();

  private AllowList() {}

  /// @throws StoreException.Invalid if a line does not have one of the forms above
  /// @throws StoreException.Io if the file cannot be read
  public static AllowList of(Path file) {
    AllowList list = new AllowList();
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new StoreException.TooLarge(file.toString(), Files.size(file), FILE_BYTES_MAX);
      }
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        list.add(line.strip(), file + ":" + ++number);
      }
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
    return list;
  }

  private void add(String line, String where) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    int gap = line.indexOf(' ');
    String rest = gap < 0 ? "" : line.substring(gap + 1).strip();
    String kind = gap < 0 ? line : line.substring(0, gap);
    if (rest.isEmpty()) {
      throw new StoreException.Invalid(where, "expected a kind of exception and its value");
    }
    switch (kind) {
      case "rule" -> rules.add(rest);
      case "value" -> values.add(rest);
      case "place" -> places.add(rest);
      case "pattern" -> {
        try {
          patterns.add(Pattern.compile(rest));
        } catch (PatternSyntaxException e) {
          throw new StoreException.Invalid(
              where, "a pattern that RE2 does not accept: " + e.getMessage());
        }
      }
      default ->
          throw new StoreException.Invalid(
              where, "expected rule, value, pattern or place, found '" + kind + "'");
    }
  }

  boolean allows(String rule, String secret, String place) {
    return rules.contains(rule)
        || values.contains(secret)
        || places.contains(place + ":" + rule)
        || patterns.stream().anyMatch(pattern -> pattern.matcher(secret).find());
  }
}
