// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The hash by which some agents name what belongs to a project.
public final class PathHash {

  private PathHash() {}

  /// The SHA-256 of the path of a project's folder, in hexadecimal digits.
  public static String of(String path) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(path.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
