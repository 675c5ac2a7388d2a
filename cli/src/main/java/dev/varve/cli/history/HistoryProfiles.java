// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.terminal.Terminal;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.HistoryProfile;
import dev.varve.history.claude.ClaudeProfile;
import dev.varve.history.cline.ClineProfile;
import dev.varve.history.cline.RooProfile;
import dev.varve.history.codex.CodexProfile;
import dev.varve.history.gemini.GeminiProfile;
import dev.varve.history.opencode.OpencodeProfile;
import dev.varve.history.qwen.QwenProfile;
import dev.varve.history.sampled.AiderProfile;
import dev.varve.history.sampled.AmpProfile;
import dev.varve.history.sampled.CopilotProfile;
import dev.varve.history.sampled.CrushProfile;
import dev.varve.history.sampled.CursorProfile;
import dev.varve.history.sampled.FactoryProfile;
import dev.varve.history.sampled.GooseProfile;
import dev.varve.history.sampled.KiroProfile;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The profiles of all agents that are known, and the surroundings of this call.
final class HistoryProfiles {

  /// In the order in which they are listed.
  static final List<HistoryProfile> ALL =
      List.of(
          new ClaudeProfile(),
          new CodexProfile(),
          new ClineProfile(),
          new GeminiProfile(),
          new QwenProfile(),
          new OpencodeProfile(),
          new CopilotProfile(),
          new CursorProfile(),
          new AmpProfile(),
          new KiroProfile(),
          new FactoryProfile(),
          new AiderProfile(),
          new RooProfile(),
          new GooseProfile(),
          new CrushProfile());

  private HistoryProfiles() {}

  static Optional<HistoryProfile> find(String agent) {
    return ALL.stream().filter(profile -> profile.agent().equals(agent)).findFirst();
  }

  /// The profile of the agent that wrote a file.
  static Optional<HistoryProfile> owner(Path file, SourceFormat format) {
    return ALL.stream().filter(profile -> profile.owns(file, format)).findFirst();
  }

  /// The variables and the home folder of the user who called.
  static AgentEnvironment environment(Terminal terminal) {
    String home = terminal.variable("HOME");
    return new AgentEnvironment(
        Path.of(home.isEmpty() ? System.getProperty("user.home", ".") : home), terminal::variable);
  }
}
