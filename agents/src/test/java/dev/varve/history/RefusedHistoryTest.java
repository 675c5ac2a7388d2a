// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Histories of agents of which there is no profile.
final class RefusedHistoryTest {

  private static final List<HistoryProfile> PROFILES =
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

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a DeepSeek session     | {"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}
          """)
  void aHistoryWithoutAProfileIsRefusedByNameByEveryProfile(String name, String lines)
      throws IOException {
    Path file = Files.writeString(folder.resolve("x"), lines.replace('~', '\n') + "\n");
    for (HistoryProfile profile : PROFILES) {
      Archive archive = Archive.of(profile);
      assertThatThrownBy(() -> archive.take(file))
          .as(profile.agent())
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining(name);
      assertThat(archive.store().counts().contexts()).as(profile.agent()).isZero();
      assertThat(archive.store().counts().turns()).as(profile.agent()).isZero();
    }
  }
}
