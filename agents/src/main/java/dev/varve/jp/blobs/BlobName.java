// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.nio.file.Path;
import java.util.Optional;

/// The place of a blob below `blobs/`: `<2>/<2>/<60>.blob.gz`.
///
/// RFD 066 also has the form `<prefix>/<hash>.blob.gz`; a file with all 64 digits in its name is
/// read, but never written.
final class BlobName {

  static final String SUFFIX = ".blob.gz";

  private BlobName() {}

  static Path first(Path blobs, Sha256 hash) {
    return blobs.resolve(hash.hex().substring(0, 2));
  }

  static Path leaf(Path blobs, Sha256 hash) {
    return first(blobs, hash).resolve(hash.hex().substring(2, 4));
  }

  static Path file(Path blobs, Sha256 hash) {
    return leaf(blobs, hash).resolve(hash.hex().substring(4) + SUFFIX);
  }

  static Path longFile(Path blobs, Sha256 hash) {
    return leaf(blobs, hash).resolve(hash.hex() + SUFFIX);
  }

  /// The hash that the names of a file and its two folders spell; empty if the names spell none.
  static Optional<Sha256> hash(String first, String second, String name) {
    if (!name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    String digits = name.substring(0, name.length() - SUFFIX.length());
    return digits.length() == 64
        ? Sha256.find(digits).filter(hash -> hash.hex().startsWith(first + second))
        : Sha256.find(first + second + digits);
  }

  /// Returns whether a folder's name is two hexadecimal digits.
  static boolean isPrefix(String name) {
    return name.length() == 2 && Sha256.areDigits(name);
  }
}
