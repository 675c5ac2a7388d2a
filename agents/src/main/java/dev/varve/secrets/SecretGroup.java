// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;

/// The group of a rule's pattern that holds the credential.
///
/// @param number the number of the group; 0: the first group that took part in the match, and the
///   whole match if no group did
record SecretGroup(int number) {

  /// The number of the group in the match that `matcher` found.
  int in(Matcher matcher) {
    if (number > 0) {
      return Math.min(number, matcher.groupCount());
    }
    for (int group = 1; group <= matcher.groupCount(); group++) {
      if (matcher.start(group) >= 0 && matcher.end(group) > matcher.start(group)) {
        return group;
      }
    }
    return 0;
  }
}
