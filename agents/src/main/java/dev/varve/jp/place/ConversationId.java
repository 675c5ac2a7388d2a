// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import dev.varve.StoreException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A conversation's id: the time of its creation, in tenths of a second since 1970. JP shows an id
/// as `jp-c17800000001`.
///
/// @param digits 1 to 20 decimal digits, so that it may be part of a path
public record ConversationId(String digits) implements Comparable<ConversationId> {

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,20}");

  /// The forms in which a user types an id: digits, or `jp-c` and digits; each may be followed by a
  /// dash and any text (a title or a workspace's id).
  private static final Pattern TYPED = Pattern.compile("(?:jp-c)?([0-9]{1,20})(?:-.*)?");

  public ConversationId {
    if (!DIGITS.matcher(digits).matches()) {
      throw new IllegalArgumentException("not 1 to 20 digits: " + digits);
    }
  }

  /// The id in the name of a conversation's folder, `<digits>` or `<digits>-<slug>`.
  static Optional<ConversationId> ofFolder(String name) {
    int dash = name.indexOf('-');
    String digits = dash < 0 ? name : name.substring(0, dash);
    return DIGITS.matcher(digits).matches()
        ? Optional.of(new ConversationId(digits))
        : Optional.empty();
  }

  /// @throws StoreException.Invalid if the text is not an id
  public static ConversationId parse(String text) {
    Matcher typed = TYPED.matcher(text.strip());
    if (!typed.matches()) {
      throw new StoreException.Invalid(
          "conversation", "expected an id like jp-c17800000001, found '" + text + "'");
    }
    return new ConversationId(typed.group(1));
  }

  @Override
  public int compareTo(ConversationId other) {
    int bySize = Integer.compare(digits.length(), other.digits.length());
    return bySize != 0 ? bySize : digits.compareTo(other.digits);
  }

  @Override
  public String toString() {
    return "jp-c" + digits;
  }
}
