// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.place.Conversation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContentTest {

  private static final String ID = "17800000001";

  @TempDir Path folder;

  @Test
  void aBlobIsOpenedOnceItsBytesAreWantedAndNotBefore() {
    JpFolders jp = new JpFolders(folder);
    jp.add(jp.storage(), ID + "-x", JpFolders.events("one", "two", "one"));
    new Rewriting(jp.workspace(), JpFolders.CLOCK, 1 << 20).externalize(jp.conversation(ID), false);
    Conversation conversation = jp.conversation(ID);
    Contents contents =
        new Contents(jp.workspace(), jp.workspace().shared(), JpFolders.CLOCK, 1 << 20);

    Overview overview = Overview.of(conversation.newest());
    assertThat(overview.referencedBytes()).isEqualTo(9);
    assertThat(overview.referenced()).extracting(Content::hash).hasSize(3);
    assertThat(overview.files().missing()).isEmpty();
    assertThat(contents.opens()).isZero();

    assertThat(overview.referenced().getFirst().resolve(contents)).isEqualTo("one".getBytes(UTF_8));
    assertThat(contents.opens()).isEqualTo(1);
  }
}
