// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.PutBackPlan;
import java.nio.file.Path;
import java.util.List;

/// The history of Roo Code, which keeps its tasks as Cline's extension does, each with a
/// `history_item.json`. A conversation alone does not show whose it is.
public final class RooProfile extends ClineProfile {

  @Override
  public String agent() {
    return "roo";
  }

  @Override
  public String displayName() {
    return "Roo Code";
  }

  @Override
  public boolean isExperimental() {
    return true;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    List<Path> homes = editorHomes(environment, "rooveterinaryinc.roo-cline");
    Path usual = environment.userHome().resolve(EXTENSIONS).resolve("rooveterinaryinc.roo-cline");
    return homes.isEmpty() ? List.of(usual) : homes;
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    return List.of("The profile is experimental: Roo Code was never tried with such files.");
  }
}
