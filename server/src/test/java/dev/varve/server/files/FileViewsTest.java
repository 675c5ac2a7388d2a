// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import dev.varve.server.value.IdFormat;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileViewsTest {

  @TempDir Path folder;
  private Store store;
  private FileViews views;
  private ContextId context;

  @BeforeEach
  void open() {
    store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    views = new FileViews(store);
    context = store.createContext().id();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private TreeEntry entry(String name, TreeEntry.Kind kind, int mode, String content) {
    Payload bytes = Payload.utf8(content);
    return new TreeEntry(name, kind, mode, bytes.sizeBytes(), store.put(bytes));
  }

  private TreeEntry folder(String name, TreeEntry... entries) {
    BlobHash tree = store.put(new Tree(List.of(entries)).payload());
    return new TreeEntry(name, TreeEntry.Kind.DIRECTORY, 0755, 0, tree);
  }

  private TurnId turn(TreeEntry... entries) {
    NewTurn turn = NewTurn.of(Payload.EMPTY, new DeclaredType("t", 1), Encoding.RAW);
    return store
        .append(context, entries.length == 0 ? turn : turn.withFsRoot(folder("x", entries).hash()))
        .id();
  }

  private TreeEntry main(String content) {
    return entry("main.rs", TreeEntry.Kind.FILE, 0644, content);
  }

  @Test
  void aListingHasItsShape() {
    TreeEntry src = folder("src", main("fn"));
    TreeEntry link = entry("link", TreeEntry.Kind.SYMLINK, 0777, "src/main.rs");
    turn(src, link);
    TurnId later = turn();

    assertThat(views.listing(later, "", IdFormat.TEXT).text().replace('"', '\''))
        .isEqualTo(
            "{'turn_id':'%s','fs_root_hash':'%s','path':'','entries':["
                    .formatted(later, new Tree(List.of(src, link)).hash())
                + "{'name':'link','kind':'symlink','mode':'777','size':11,'hash':'%s'},"
                    .formatted(link.hash())
                + "{'name':'src','kind':'dir','mode':'755','size':0,'hash':'%s'}]}"
                    .formatted(src.hash()));
    assertThat(views.listing(later, "src", IdFormat.NUMBER).text())
        .startsWith("{\"turn_id\":" + later + ",")
        .contains("\"path\":\"src\"", "main.rs");
  }

  @Test
  void filesLinksAndFoldersAreFoundByTheirPaths() {
    TurnId turn =
        turn(
            folder("src", main("fn"), entry("ä b.html", TreeEntry.Kind.FILE, 0600, "<p>")),
            entry("link", TreeEntry.Kind.SYMLINK, 0777, "src/main.rs"));

    assertThat(views.at(turn, "src/main.rs", IdFormat.TEXT))
        .isEqualTo(
            new FileViews.PathContent.FileContent(
                main("fn").hash(), 2, "text/plain; charset=utf-8", "644"));
    assertThat(views.at(turn, "src/ä b.html", IdFormat.TEXT))
        .isInstanceOfSatisfying(
            FileViews.PathContent.FileContent.class,
            content -> assertThat(content.mediaType()).isEqualTo("text/html; charset=utf-8"));
    FileViews.PathContent.FileContent link =
        (FileViews.PathContent.FileContent) views.at(turn, "link", IdFormat.TEXT);
    assertThat(store.get(link.hash()).text()).isEqualTo("src/main.rs");
    assertThat(link.mediaType()).isEqualTo("application/octet-stream");
    assertThat(views.at(turn, "src", IdFormat.TEXT))
        .isInstanceOf(FileViews.PathContent.FolderListing.class);
    assertThat(views.json(turn, "src/main.rs", IdFormat.TEXT).text())
        .contains("\"name\":\"main.rs\"", "\"kind\":\"file\"", "\"content_base64\":\"Zm4=\"");
  }

  @Test
  void whatIsNotThereIsRefused() {
    TurnId none = turn();
    TurnId turn = turn(main("fn"));
    for (TurnId without : new TurnId[] {none, new TurnId(1L << 40)}) {
      assertThatThrownBy(() -> views.listing(without, "", IdFormat.TEXT))
          .isInstanceOf(StoreException.NotFound.class)
          .hasMessageStartingWith("fs snapshot for turn");
    }
    assertThatThrownBy(() -> views.at(turn, "no/such", IdFormat.TEXT))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> views.at(turn, "../main.rs", IdFormat.TEXT))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> views.listing(turn, "main.rs", IdFormat.TEXT))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> views.at(turn, "", IdFormat.TEXT))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void wholeTreesAndDifferencesAreTold() {
    TurnId before = turn(folder("src", main("old")), main("same"));
    TurnId after =
        turn(folder("src", main("newer")), main("same"), entry("n", TreeEntry.Kind.FILE, 0, ""));

    assertThat(views.whole(before, IdFormat.TEXT).text().replace('"', '\''))
        .contains("{'path':'main.rs','kind':'file'", "{'path':'src','kind':'dir'")
        .contains("{'path':'src/main.rs','kind':'file','mode':'644','size':3,");
    assertThat(views.difference(before, after, IdFormat.TEXT).text().replace('"', '\''))
        .contains("{'path':'n','change':'added','after':{'kind':'file','mode':'0',")
        .contains(
            "{'path':'src/main.rs','change':'modified','before':{'kind':'file','mode':'644',"
                + "'size':3,")
        .doesNotContain("'path':'main.rs'");
  }

  @Test
  void aTurnWhoseTreeIsNoneIsRefusedAndNotBroken() {
    NewTurn turn =
        NewTurn.of(Payload.EMPTY, new DeclaredType("t", 1), Encoding.RAW)
            .withFsRoot(store.put(Payload.utf8("no tree")));
    TurnId id = store.append(context, turn).id();
    assertThatThrownBy(() -> views.listing(id, "", IdFormat.TEXT))
        .isInstanceOf(StoreException.Invalid.class);
  }
}
