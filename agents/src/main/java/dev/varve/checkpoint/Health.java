// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the snapshots of a repository are.
///
/// @param begun a restore that broke off; null if there is none
/// @param problems what is lost or damaged
/// @param remarks what somebody may want to know
public record Health(
    int snapshots, Rewind.@Nullable Begun begun, List<String> problems, List<String> remarks) {

  public Health {
    problems = List.copyOf(problems);
    remarks = List.copyOf(remarks);
  }
}
