// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.jp.JpFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkspaceTest {

  @TempDir Path folder;

  private JpFolders jp;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
  }

  private static Path userData(Map<String, String> environment, String system) {
    return UserData.of(name -> environment.getOrDefault(name, ""), system, Path.of("/h"));
  }

  @Test
  void theUsersDataLieWhereJpKeepsThem() {
    assertThat(userData(Map.of("JP_USER_DATA_DIR", "d", "XDG_DATA_HOME", "/x"), "Linux"))
        .hasToString("d");
    assertThat(userData(Map.of("XDG_DATA_HOME", "/x"), "Mac OS X")).hasToString("/x/jp");
    assertThat(userData(Map.of("XDG_DATA_HOME", "x"), "Linux")).hasToString("/h/.local/share/jp");
    assertThat(userData(Map.of("HOME", "/u"), "Mac OS X"))
        .hasToString("/u/Library/Application Support/jp");
    assertThat(userData(Map.of("LOCALAPPDATA", "/l"), "Windows 11")).hasToString("/l/jp/data");
  }

  @Test
  void aWorkspaceIsFoundFromBelowAndNothingIsWritten() throws IOException {
    Path below = Files.createDirectories(folder.resolve("project/src/main"));
    Map<String, String> before = JpFolders.snapshot(folder);

    Workspace workspace = Workspace.find(below, jp.userData());

    assertThat(workspace.folder()).isEqualTo(folder.resolve("project"));
    assertThat(workspace.id()).isEqualTo("ab1cd");
    assertThat(workspace.roots()).hasSize(1);
    assertThat(JpFolders.snapshot(folder)).isEqualTo(before);
    assertThatThrownBy(() -> Workspace.find(folder, jp.userData()))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void aMalformedIdMeansNoUserLocalRoot() {
    jp.add(jp.silo(), "17800000001", "[]");
    JpFolders.write(jp.storage().resolve(".id"), "../../..");

    assertThat(jp.workspace().id()).isNull();
    assertThat(jp.workspace().userLocal()).isNull();
  }

  @Test
  void amongSeveralUserLocalRootsTheNameCountsBeforeTheTime() throws IOException {
    Path workspaces = jp.userData().resolve("workspace");
    for (String name : List.of("other-ab1cd", "ab1cd", "project-ab1cd", "project-zzzzz")) {
      Files.createDirectories(workspaces.resolve(name));
    }
    Files.setLastModifiedTime(workspaces.resolve("project-ab1cd"), FileTime.fromMillis(0));
    assertThat(jp.workspace().roots().getLast().folder()).endsWithRaw(Path.of("project-ab1cd"));

    Files.delete(workspaces.resolve("project-ab1cd"));
    Files.setLastModifiedTime(workspaces.resolve("ab1cd"), FileTime.fromMillis(0));
    assertThat(jp.workspace().roots().getLast().folder()).endsWithRaw(Path.of("other-ab1cd"));
  }

  @Test
  void theNewerCopyCountsAndAtATieTheUsersOwn() throws IOException {
    Path shared = jp.add(jp.storage(), "17800000001-a", "[]");
    jp.add(jp.silo(), "17800000001-a", "[]");
    assertThat(jp.conversation("17800000001").newest().root().kind())
        .isEqualTo(WorkspaceRoot.Kind.USER_LOCAL);

    Files.setLastModifiedTime(
        shared.resolveSibling("base_config.json"), FileTime.from(JpFolders.NOW));
    assertThat(jp.conversation("17800000001").newest().root().kind())
        .isEqualTo(WorkspaceRoot.Kind.WORKSPACE);
    assertThat(jp.conversation("17800000001").presence()).isEqualTo("projected");
  }

  @Test
  void archivedConversationsAreListedAndOddFoldersAreTold() throws IOException {
    jp.add(jp.storage(), "17800000002", "[]");
    Path archive = jp.storage().resolve("conversations/.archive");
    JpFolders.write(archive.resolve("17800000001-old/events.json"), "[]");
    JpFolders.write(jp.storage().resolve("conversations/notes/events.json"), "[]");
    JpFolders.write(jp.storage().resolve("conversations/.trash/17800000003/events.json"), "[]");
    Files.createSymbolicLink(jp.storage().resolve("conversations/17800000009"), folder);
    List<String> odd = new ArrayList<>();

    List<Conversation> found = jp.workspace().conversations(odd::add);

    assertThat(found)
        .extracting(each -> each.id().toString())
        .containsExactly("jp-c17800000001", "jp-c17800000002");
    assertThat(found.getFirst().newest().partition())
        .isEqualTo(ConversationCopy.Partition.ARCHIVED);
    assertThat(odd).hasSize(2).anyMatch(each -> each.contains("symbolic link"));
    assertThat(jp.workspace().trashed()).hasSize(1);
  }

  @Test
  void idsAreReadAsJpShowsThem() {
    assertThat(ConversationId.parse("jp-c17800000001-ab1cd").digits()).isEqualTo("17800000001");
    assertThat(ConversationId.parse("17800000001-a-title").digits()).isEqualTo("17800000001");
    assertThat(ConversationId.parse(" 17800000001 ").digits()).isEqualTo("17800000001");
    for (String text : new String[] {"", "x", "jp-c", "../1", "1/2", "-1"}) {
      assertThatThrownBy(() -> ConversationId.parse(text))
          .isInstanceOf(StoreException.Invalid.class);
    }
  }

  @Test
  void aLockFileThatWasMadeForTheLockGoesWithIt() {
    jp.add(jp.storage(), "17800000001", "[]");
    ConversationId id = new ConversationId("17800000001");
    Path file = jp.storage().resolve("locks/jp-c17800000001.lock");
    try (ConversationLock _ = ConversationLock.tryLock(jp.workspace(), id).orElseThrow()) {
      assertThat(file).exists();
      assertThat(ConversationLock.tryLock(jp.workspace(), id)).isEmpty();
    }
    assertThat(jp.storage().resolve("locks")).doesNotExist();

    JpFolders.write(file, "{\"pid\": 1}");
    ConversationLock.tryLock(jp.workspace(), id).orElseThrow().close();
    assertThat(file).as("another's").exists();
  }
}
