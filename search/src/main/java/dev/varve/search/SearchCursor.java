// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.search.FieldDoc;

/// The place behind which a page of hits begins, as a short text without a meaning for clients.
///
/// @param byWords whether hits are ordered by their scores, else by their times
/// @param first the bits of the score, or the time
/// @param second the number of the text, or the turn
/// @param third the number of the text of a place
/// @param nowMs the time that recency is counted from, the same for all pages
record SearchCursor(boolean byWords, long first, long second, long third, long nowMs) {

  private static final Pattern FORM =
      Pattern.compile("([wt])\\.(-?\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})");

  static SearchCursor parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new StoreException.Invalid("cursor", "expected one of an answer, found '" + text + "'");
    }
    return new SearchCursor(
        form.group(1).equals("w"),
        Long.parseLong(form.group(2)),
        Long.parseLong(form.group(3)),
        Long.parseLong(form.group(4)),
        Long.parseLong(form.group(5)));
  }

  @Override
  public String toString() {
    return (byWords ? "w." : "t.") + first + "." + second + "." + third + "." + nowMs;
  }

  /// The place in the terms of the index.
  ///
  /// @param documents how many documents the index has: of equal ones none stands behind
  FieldDoc document(int documents) {
    int last = Math.max(0, documents - 1);
    return byWords
        ? new FieldDoc(last, Float.NaN, new Object[] {Float.intBitsToFloat((int) first), second})
        : new FieldDoc(last, Float.NaN, new Object[] {first, second, third});
  }
}
