// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreSearchTest {

  @TempDir Path folder;
  private FoundStore found;
  private ContextId shop;
  private ContextId other;

  @BeforeEach
  void open() {
    found = new FoundStore(folder.resolve("store"));
    shop =
        found.context(
            "{\"agent\":\"claude-code\",\"cwd\":\"/projects/shop\",\"title\":\"Fix pools\"}");
    other = found.context("{\"agent\":\"pi\",\"cwd\":\"/projects/tools\",\"title\":\"Other\"}");
  }

  @AfterEach
  void close() {
    found.close();
  }

  @Test
  void allWordsMustStandInOneText() {
    TurnId both = found.say(shop, "user", "Why is the connection pool exhausted?");
    found.say(shop, "assistant", "The pool is too small.");

    assertThat(found.turns("pool exhausted")).containsExactly(both);
    assertThat(found.turns("\"exhausted pool\"")).isEmpty();
    assertThat(found.turns("\"connection pool\" exhau*")).containsExactly(both);
    assertThat(found.turns("/ex.*ed/")).containsExactly(both);
    assertThat(found.turns("pool -small")).containsExactly(both);
  }

  @Test
  void identifiersPathsAndOtherScripts() {
    TurnId code =
        found.say(shop, "assistant", "call createWorktree in src/auth/jwt.py, getUserById");
    TurnId japanese = found.say(shop, "user", "接続プールが枯渇しました");
    TurnId accents = found.say(shop, "user", "Die Größe der Übersicht");

    assertThat(found.turns("worktree")).containsExactly(code);
    assertThat(found.turns("createworktree")).containsExactly(code);
    assertThat(found.turns("jwt.py")).containsExactly(code);
    assertThat(found.turns("getUserByName")).isEmpty();
    assertThat(found.turns("プール")).containsExactly(japanese);
    assertThat(found.turns("枯")).containsExactly(japanese);
    assertThat(found.turns("ubersicht GROSSE")).containsExactly(accents);
  }

  @Test
  void filtersChoosePlaces() {
    TurnId failed = found.run(shop, "t1", "pytest src/auth/jwt.py", "2 failed", true);
    TurnId passed = found.run(other, "t2", "pytest src/auth/jwt.py -q", "2 passed", false);

    assertThat(found.turns("path:src/auth/jwt.py role:command exit:!0")).containsExactly(failed);
    assertThat(found.turns("pytest exit:0")).containsExactly(passed);
    assertThat(found.turns("pytest agent:pi")).containsExactly(passed);
    assertThat(found.turns("pytest project:shop role:command")).containsExactly(failed);
    assertThat(found.turns("pytest -agent:pi -project:shop")).isEmpty();
    assertThat(found.turns("failed tool:bash")).hasSize(1);
    assertThat(found.turns("pytest context:" + other)).containsExactly(passed);
  }

  @Test
  void timesAreThoseOfTurns() {
    found.append(
        shop,
        "{\"role\":\"user\",\"content\":\"older words\"}",
        FoundStore.NOW.minus(Duration.ofDays(20)));
    TurnId newer = found.say(shop, "user", "newer words");

    assertThat(found.turns("words since:2w")).containsExactly(newer);
    assertThat(found.turns("words")).hasSize(2).first().isEqualTo(newer);
    assertThat(found.turns("words until:2026-11-20")).hasSize(1).doesNotContain(newer);
  }

  @Test
  void aTextOfManyTurnsIsOneHit() {
    for (int i = 0; i < 5; i++) {
      found.run(shop, "t" + i, "cat notes.txt", "the very same content of a file", false);
    }
    ContextHead head = found.store.head(shop);
    for (int i = 0; i < 3; i++) {
      found.store.fork(head.head());
    }
    SearchPage page = found.find("\"very same content\"");

    assertThat(page.hits()).hasSize(1);
    assertThat(page.total()).isEqualTo(1);
    assertThat(page.hits().getFirst().branches()).isEqualTo(4);
  }

  @Test
  void aDeletedTurnIsNotFoundAndAPatchedOneByItsNewText() {
    TurnId deleted = found.say(shop, "user", "a secretive plan");
    TurnId patched = found.say(shop, "user", "a first draft");
    assertThat(found.turns("plan OR draft")).hasSize(2);

    found.store.tombstone(deleted);
    found.store.patch(
        patched, Payload.utf8("{\"role\":\"user\",\"content\":\"a second version\"}"));

    assertThat(found.turns("plan OR draft")).isEmpty();
    assertThat(found.turns("second version")).containsExactly(patched);
  }

  @Test
  void aDescriptionThatChangesChangesTheFilters() {
    found.say(other, "user", "words of interest");
    assertThat(found.turns("interest project:tools")).hasSize(1);

    found.store.describe(
        other, found.store.put(Payload.utf8("{\"agent\":\"pi\",\"cwd\":\"/x/moved\"}")));

    assertThat(found.turns("interest project:tools")).isEmpty();
    assertThat(found.turns("interest project:moved")).hasSize(1);
  }

  private void erase(String secret) {
    EraseRequest request =
        new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(secret)), false, false);
    ErasePlan plan = found.store.erasures().plan(request, ReadProgress.NONE);
    EraseReceipt receipt = found.store.erasures().erase(request, plan.digest(), ReadProgress.NONE);
    assertThat(receipt.run()).isEqualTo(1);
  }

  @Test
  void anIndexThatWasBegunAgainAfterAnErasureIsUsedByOthersAndAtTheNextStart() {
    found.say(shop, "user", "the xyzzyplugh of the door");
    TurnId stays = found.say(shop, "user", "the colour of the door");
    found.follow();

    erase("xyzzyplugh");
    found.search.beginAgain();

    assertThat(StoreSearch.isStale(found.folder)).isFalse();
    assertThat(found.turns("xyzzyplugh OR colour")).containsExactly(stays);
    found.reopenSearch();
    assertThat(found.search.coverage().isWhole()).isTrue();
    try (StoreSearch beside = StoreSearch.open(found.folder, found.store)) {
      assertThat(beside.coverage().isWhole()).isTrue();
    }
    assertThat(StoreSearch.isStale(found.folder)).isFalse();
  }

  @Test
  void anIndexFromBeforeAnErasureHasNoErasedWordOnceItIsOpened() throws IOException {
    found.say(shop, "user", "the xyzzyplugh of the door");
    found.follow();
    found.search.close();
    assertThat(filesWith("xyzzyplugh")).isNotEmpty();
    assertThat(StoreSearch.isStale(found.folder)).isFalse();

    erase("xyzzyplugh"); // and a kill before the index is begun again

    assertThat(StoreSearch.isStale(found.folder)).isTrue();
    found.search = StoreSearch.open(found.folder, found.store);
    assertThat(filesWith("xyzzyplugh")).isEmpty();
    assertThat(found.turns("xyzzyplugh")).isEmpty();
    assertThat(found.turns("door")).isEmpty();
  }

  private List<Path> filesWith(String word) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(found.folder.resolve("search"))) {
      for (Path file : all) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(word)) {
          files.add(file);
        }
      }
    }
    return files;
  }

  @Test
  void aSearchThatIsClosedSaysSo() {
    found.search.close();
    found.search.close();

    assertThatThrownBy(() -> found.find("words")).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> found.search.beginAgain()).isInstanceOf(StoreException.Closed.class);
  }

  @Test
  void titlesAreFound() {
    SearchPage page = found.find("\"fix pools\"");

    assertThat(page.hits()).hasSize(1);
    assertThat(page.hits().getFirst().place().context()).isEqualTo(shop);
    assertThat(page.hits().getFirst().place().turn()).isEqualTo(TurnId.NONE);
  }

  @Test
  void credentialsAreNeitherIndexedNorShown() {
    String key = "ghp_" + "x7Kd9fQ2mZ4rT8vB1nL6cY3wP5sH0jG9eUaR";
    found.say(shop, "user", "use the token " + key + " for it");
    SearchPage page = found.find("\"use the token\"");

    assertThat(found.turns(key)).isEmpty();
    assertThat(page.hits()).hasSize(1);
    assertThat(page.hits().getFirst().snippet().text()).doesNotContain(key.substring(8));
    assertThat(page.hits().getFirst().text().text()).doesNotContain(key.substring(8));
  }

  @Test
  void aTurnIsFoundByTheHashOfItsPayloadAndByItsId() {
    TurnId turn =
        found.line(shop, "{\"uuid\":\"5734f632-aa\",\"role\":\"user\",\"content\":\"hello\"}");
    String hash = found.store.turn(turn, View.HEADERS).payloadHash().toString();

    assertThat(found.turns("5734f632")).containsExactly(turn);
    int digits = hash.replaceFirst("[0-9].*", "").length() + 1; // as far as the first figure
    for (int length = Math.max(8, digits); length < 12; length++) {
      assertThat(found.turns(hash.substring(0, length))).containsExactly(turn);
    }
    assertThat(found.turns(hash.substring(0, 60))).containsExactly(turn);
  }

  @Test
  void theCursorLeadsToTheLastHit() {
    for (int i = 0; i < 57; i++) {
      found.say(shop, "user", "common word number" + i);
    }
    found.follow();
    for (String query : List.of("common", "role:prompt")) {
      List<TurnId> all = new ArrayList<>();
      SearchRequest request = SearchRequest.of(query, 10, FoundStore.NOW, ZoneOffset.UTC);
      SearchPage page = found.search.search(request);
      page.hits().forEach(hit -> all.add(hit.place().turn()));
      while (page.next() != null) {
        page = found.search.search(request.after(page.next()));
        page.hits().forEach(hit -> all.add(hit.place().turn()));
      }
      assertThat(all).as(query).hasSize(57);
      assertThat(new HashSet<>(all)).as(query).hasSize(57);
    }
    assertThatThrownBy(
            () ->
                found.search.search(
                    SearchRequest.of("common", 10, FoundStore.NOW, ZoneOffset.UTC).after("x")))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void snippetsShowTheWords() {
    found.say(
        shop,
        "assistant",
        "lorem ipsum ".repeat(500) + "the needle is here " + "dolor ".repeat(500));
    Snippet snippet = found.find("needle").hits().getFirst().snippet();

    assertThat(snippet.text()).contains("the needle is here");
    assertThat(snippet.marks()).hasSize(1);
    assertThat(
            snippet
                .text()
                .substring(snippet.marks().getFirst().from(), snippet.marks().getFirst().to()))
        .isEqualTo("needle");
    assertThat(snippet.cutBefore()).isTrue();
    assertThat(snippet.cutAfter()).isTrue();
  }

  @Test
  void theIndexGoesOnWhereItEnded() {
    found.say(shop, "user", "first words");
    found.follow();
    found.reopenSearch();
    assertThat(found.search.coverage().turns()).isEqualTo(1);
    TurnId second = found.say(shop, "user", "second words");

    assertThat(found.turns("second")).containsExactly(second);
    assertThat(found.turns("words")).hasSize(2);
  }

  @Test
  void whoComesSecondKeepsWhatIsNewInMemory() {
    TurnId first = found.say(shop, "user", "first words");
    found.follow();
    TurnId second = found.say(shop, "user", "second words");
    try (StoreSearch beside = StoreSearch.open(found.folder, found.store)) {
      beside.follow(FollowLimit.within(Duration.ofMinutes(1), FollowLimit.Progress.NONE));
      SearchPage page =
          beside.search(SearchRequest.of("words", 10, FoundStore.NOW, ZoneOffset.UTC));

      assertThat(page.hits().stream().map(hit -> hit.place().turn()))
          .containsExactlyInAnyOrder(first, second);
    }
    assertThat(found.search.coverage().turns()).isEqualTo(1);
  }
}
