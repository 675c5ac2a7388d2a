// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.Payload;
import java.nio.file.Path;
import java.util.List;

/// The memory of branches that were published or received.
public interface KnownBranches {

  /// Nothing.
  KnownBranches NONE = _ -> List.of();

  /// The sidecars of the branches that the file `session` was, the newest first.
  List<Payload> of(Path session);
}
