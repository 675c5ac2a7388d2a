// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.jp.blobs.BlobFolder;
import picocli.CommandLine.Option;

/// `--max-blob`, for the commands that take contents into memory.
final class MaxBlobOption {

  @Option(
      names = "--max-blob",
      paramLabel = "BYTES",
      description = "The largest content to load (default: 268435456).")
  private int sizeBytesMax = BlobFolder.SIZE_BYTES_MAX;

  int sizeBytesMax() {
    if (sizeBytesMax < 0) {
      throw new CommandException(
          ExitCodes.USAGE, "--max-blob: expected 0 or more, found " + sizeBytesMax, null);
    }
    return sizeBytesMax;
  }
}
