// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.nio.file.Path;
import java.util.List;

/// The plan to put a session's files back.
///
/// @param agent the name of the session's agent
/// @param view the conversation as its records say
/// @param home the agent's folder, to which the names of the files are relative
/// @param files in the order in which they are written: what a file needs stands before it
public record PutBackPlan(
    String agent, SessionAbout.View view, Path home, List<PlannedFile> files) {

  public PutBackPlan {
    files = List.copyOf(files);
  }

  /// The files in whose places something else lies.
  public List<PlannedFile> taken() {
    return in(PlannedFile.State.TAKEN);
  }

  /// The files that are torn documents.
  public List<PlannedFile> torn() {
    return files.stream().filter(PlannedFile::torn).toList();
  }

  /// The files that will be written.
  public List<PlannedFile> free() {
    return in(PlannedFile.State.FREE);
  }

  private List<PlannedFile> in(PlannedFile.State state) {
    return files.stream().filter(file -> file.state() == state).toList();
  }
}
