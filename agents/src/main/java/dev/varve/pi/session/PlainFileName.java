// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/// Separates names that can be a file's on any system from names that lead elsewhere.
public final class PlainFileName {

  private static final int BYTES_MAX = 255;

  /// Separators, drive letters, wildcards and control characters, of any system.
  private static final Pattern FORBIDDEN = Pattern.compile("[/\\\\:*?\"<>|\\p{Cntrl}]");

  private static final Pattern DEVICE =
      Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

  private PlainFileName() {}

  /// True if `name` is a plain name of a file in a folder, on every system.
  public static boolean is(String name) {
    return !name.isEmpty()
        && name.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX
        && !FORBIDDEN.matcher(name).find()
        && !DEVICE.matcher(name.toLowerCase(Locale.ROOT)).matches()
        && !name.startsWith(".") // nor hidden, nor this folder or the one above
        && !name.endsWith(".")
        && !name.endsWith(" ");
  }
}
