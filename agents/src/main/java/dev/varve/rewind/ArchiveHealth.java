// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a check of all snapshots of a repository.
///
/// @param begun a restore that broke off; null if there is none
/// @param problems lost or damaged things, a sentence each
/// @param remarks further facts for people, a sentence each
public record ArchiveHealth(
    int snapshots, @Nullable UnfinishedRestore begun, List<String> problems, List<String> remarks) {

  public ArchiveHealth {
    problems = List.copyOf(problems);
    remarks = List.copyOf(remarks);
  }
}
