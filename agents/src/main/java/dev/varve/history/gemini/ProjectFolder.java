// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.history.PathHash;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the folder of a project in the text that describes it to the model.
final class ProjectFolder {

  private static final Pattern ITEM = Pattern.compile("\n {2}- ([^\n]+)");

  private ProjectFolder() {}

  /// The folder with a hash; empty if the text does not name it.
  ///
  /// @param hash the SHA-256 of the folder's path, in hexadecimal digits
  static String find(String text, String hash) {
    Matcher items = ITEM.matcher(text);
    while (items.find()) {
      if (PathHash.of(items.group(1)).equals(hash)) {
        return items.group(1);
      }
    }
    return "";
  }
}
