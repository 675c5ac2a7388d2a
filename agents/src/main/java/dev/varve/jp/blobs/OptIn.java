// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.jp.files.RealFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A workspace's word that it wants RFD 066's form, which released versions of JP cannot read: the
/// file `blobs/.format` with the line `rfd066`.
public final class OptIn {

  /// The name of the form, on the command line and in the file.
  public static final String FORMAT = "rfd066";

  static final String NAME = ".format";

  private OptIn() {}

  public static boolean isGiven(Path blobs) {
    Path file = blobs.resolve(NAME);
    try {
      return RealFiles.isFolder(blobs)
          && RealFiles.isFile(file)
          && new String(RealFiles.read(file, 64), StandardCharsets.US_ASCII).strip().equals(FORMAT);
    } catch (StoreException.TooLarge e) {
      return false;
    }
  }

  public static void give(Path blobs) {
    RealFiles.makeFolder(blobs);
    if (!isGiven(blobs)) {
      WholeFile.at(blobs.resolve(NAME)).replace(FORMAT + "\n");
    }
  }

  public static void takeBack(Path blobs) {
    if (RealFiles.isFolder(blobs)) {
      RealFiles.delete(blobs.resolve(NAME));
    }
  }
}
