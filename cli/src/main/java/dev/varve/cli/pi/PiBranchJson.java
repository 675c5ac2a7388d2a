// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.json.JsonLine;
import dev.varve.pi.branch.Branch;
import java.util.Locale;

/// A branch of a session of this computer, for programs.
final class PiBranchJson {

  private PiBranchJson() {}

  static JsonLine of(Branch branch) {
    return new JsonLine()
        .text("file", branch.session().toString())
        .hash("branch_hash", branch.hash())
        .hash("src_hash", branch.content().hash())
        .hash("parent_hash", branch.parent())
        .number("size_bytes", branch.content().sizeBytes())
        .number("bytes_read", branch.content().bytesRead())
        .text("way", branch.content().way().name().toLowerCase(Locale.ROOT));
  }
}
