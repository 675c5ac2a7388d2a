// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.disk.DraftName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names of files that are being written. JP deletes every `*.tmp` in a conversation's folder,
/// whichever program writes it; therefore drafts have other names.
public final class DraftNames {

  private static final Pattern NAME = Pattern.compile("\\..*\\.(\\d+)-[0-9a-f]{16}\\.part");

  private DraftNames() {}

  /// The end of a name that no other process gives.
  public static String name(long random) {
    return ProcessHandle.current().pid() + "-" + String.format("%016x", random) + ".part";
  }

  public static boolean isDraft(String name) {
    return NAME.matcher(name).matches() || DraftName.matches(name);
  }

  /// Returns whether the process that wrote a draft is still there.
  public static boolean isBeingWritten(String name) {
    Matcher matcher = NAME.matcher(name);
    try {
      return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isPresent();
    } catch (NumberFormatException e) {
      return false; // no process has such a number
    }
  }
}
