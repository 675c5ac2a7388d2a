// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.disk.DiskErrors;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The part of a receipt about snapshots that were taken out of git. The store writes the receipt,
/// and knows nothing of git; this part is added afterwards.
///
/// Page: `docs/format/erasure-receipt.md`.
final class GitReceipt {

  /// The end of every receipt: the brace of the object, and a line feed.
  private static final int END_BYTES = 2;

  private GitReceipt() {}

  /// Adds the outcomes to a receipt, if it is on this machine. The receipt is replaced as a whole.
  static void add(Path receipt, List<GitFinding.Outcome> outcomes) {
    if (Files.notExists(receipt)) {
      return; // on the machine of the service
    }
    StringBuilder part = new StringBuilder();
    GitSnapshots.add(outcomes, new JsonLine()).print(part::append);
    part.setCharAt(0, ','); // for the brace
    try (InputStream in = Files.newInputStream(receipt);
        FileDraft draft = WholeFile.at(receipt).draft()) {
      OutputStream out = draft.out();
      long left = Files.size(receipt) - END_BYTES;
      byte[] buffer = new byte[1 << 16];
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new IOException("the receipt became shorter");
        }
        out.write(buffer, 0, read);
        left -= read;
      }
      draft.write((part + "\n").getBytes(StandardCharsets.UTF_8));
      draft.replace();
    } catch (IOException e) {
      throw DiskErrors.ofWrite(receipt, "add to", 0, e);
    }
  }
}
