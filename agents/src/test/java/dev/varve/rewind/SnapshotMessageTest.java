// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The message of a snapshot, as docs/format/worktree-snapshots.md has it.
final class SnapshotMessageTest {

  private static final String MINIMAL = "pi rewind snapshot\n\nVarve-Rewind: 1\n";

  private static String example() throws IOException {
    Path root = Path.of(System.getProperty("root.dir", ".."));
    String page = Files.readString(root.resolve("docs/format/worktree-snapshots.md"));
    int begin = page.indexOf("```text\n") + "```text\n".length();
    return page.substring(begin, page.indexOf("```", begin));
  }

  @Test
  void theExampleOfThePageIsWhatIsWritten() throws IOException {
    String example = example();
    SnapshotMetadata metadata = SnapshotMessage.parse(example).orElseThrow();

    assertThat(SnapshotMessage.write(metadata, SnapshotMessage.note(example))).isEqualTo(example);
    assertThat(metadata.leftOut(RepoPath.of("data/dump.bin"))).contains(LeftOut.LARGE);
    assertThat(metadata.inner().get(RepoPath.of("lib/")).excludes()).isEqualTo("/scratch\n");
    assertThat(metadata.repositoryOf(RepoPath.of("lib/a/b"))).contains(RepoPath.of("lib/"));
    assertThat(metadata.repositoryOf(RepoPath.of("library"))).isEmpty();
  }

  @Test
  void aMessageOfBeforeRepositoriesWereLookedIntoSaysSo() {
    assertThat(SnapshotMessage.parse(MINIMAL).orElseThrow().repositories()).isEmpty();
    assertThat(SnapshotMessage.parse(MINIMAL + "Repositories: 0\n").orElseThrow().repositories())
        .hasValueSatisfying(inner -> assertThat(inner).isEmpty());
  }

  @Test
  void whatALaterVersionSaysIsPassedOverAndWhatIsDamagedIsRefused() {
    SnapshotMetadata later =
        SnapshotMessage.parse(MINIMAL + "Left-Out: eaten a/\nColour: blue\nWithout a colon\n")
            .orElseThrow();
    assertThat(later.leftOut(RepoPath.of("a/b"))).contains(LeftOut.UNREADABLE);

    for (String line :
        new String[] {
          "Repository: main lib/",
          "Repository: - - ",
          "Repository: xyz - lib/",
          "Repository: ",
          "Exclude-In: ",
          "Mode: 9 a",
          "Left-Out: large"
        }) {
      assertThatThrownBy(() -> SnapshotMessage.parse(MINIMAL + line + "\n"))
          .as(line)
          .isInstanceOf(StoreException.Invalid.class);
    }
  }
}
