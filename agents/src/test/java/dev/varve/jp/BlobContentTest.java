// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.place.Conversation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlobContentTest {

  private static final String ID = "17800000001";

  @TempDir Path folder;

  @Test
  void aBlobIsOpenedOnceItsBytesAreWantedAndNotBefore() {
    JpFolders jp = new JpFolders(folder);
    jp.add(jp.storage(), ID + "-x", JpFolders.events("one", "two", "one"));
    new CopyRewriter(jp.workspace(), JpFolders.CLOCK, 1 << 20)
        .externalize(jp.conversation(ID), false);
    Conversation conversation = jp.conversation(ID);
    WorkspaceContents contents =
        new WorkspaceContents(jp.workspace(), jp.workspace().shared(), JpFolders.CLOCK, 1 << 20);

    CopyOverview overview = CopyOverview.of(conversation.newest());
    assertThat(overview.referenced().sizeBytes()).isEqualTo(9);
    assertThat(overview.references()).extracting(BlobContent::hash).hasSize(3);
    assertThat(overview.files().missing()).isEmpty();
    assertThat(contents.opens()).isZero();

    assertThat(overview.references().getFirst().resolve(contents)).isEqualTo("one".getBytes(UTF_8));
    assertThat(contents.opens()).isEqualTo(1);
  }
}
