// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.format.Bytes;
import dev.varve.format.FormatPage;
import dev.varve.hash.Blake3;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeCodecTest {

  /// `-Dfuzz.runs=N` for more.
  private static final int RUNS = Integer.getInteger("fuzz.runs", 5_000);

  private static final String HASH = "11".repeat(32);

  static TreeEntry file(String name, int mode, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return new TreeEntry(name, TreeEntry.Kind.FILE, mode, bytes.length, Blake3.hash(bytes));
  }

  private static Tree read(String hex) {
    return Tree.read(Payload.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
  }

  /// A tree whose root hash other programs compute too.
  @Test
  void aTreeHasTheHashThatOtherProgramsGiveIt() {
    Tree src =
        new Tree(
            List.of(
                entry(
                    "main.go",
                    0,
                    0644,
                    12,
                    "f13810b2e1ffddc4e8ada1f2928f6e6f4d7a1f7f7b6ef4ee53b50a9bc9c67f21"),
                entry(
                    "lib.go",
                    0,
                    0644,
                    27,
                    "086c48c992cb0560586627eebcd9e578a6b5dcd399f0c83af82d13c263fdbc39")));
    Tree root =
        new Tree(
            List.of(
                new TreeEntry("src", TreeEntry.Kind.DIRECTORY, 0755, 0, src.hash()),
                entry(
                    "script.sh",
                    0,
                    0755,
                    19,
                    "e5c4e38e6c35c3e9bce5f81d4b801f2af77d59d1676ed11764187da15a281acf"),
                entry(
                    "README.md",
                    0,
                    0644,
                    6,
                    "5a15c561d68ca1d823dee29ef2de71a7c8d821646f7aefece02f04e7dfa20d88")));

    assertThat(root.hash())
        .hasToString("a33f6fccb99e5e80583440fe62e70ffe0eea6e7f1c28eef7cecff33512fdb662");
    assertThat(Tree.read(root.payload())).isEqualTo(root);
  }

  private static TreeEntry entry(String name, int kind, int mode, long size, String hash) {
    return new TreeEntry(name, TreeEntry.Kind.values()[kind], mode, size, BlobHash.parse(hash));
  }

  @Test
  void thePageShowsTheBytes() {
    Tree tree =
        new Tree(
            List.of(
                file("hello.txt", 0644, "hello"),
                new TreeEntry("sub", TreeEntry.Kind.DIRECTORY, 0755, 0, Tree.EMPTY.hash())));

    assertThat(Bytes.dump(tree.payload().bytes()))
        .isEqualTo(FormatPage.of("tree").example("Example"));
  }

  @Test
  void anEmptyFolderIsAnArrayWithNothingInItAndNilIsReadToo() {
    assertThat(Bytes.hex(Tree.EMPTY.payload().bytes())).isEqualTo("90");
    assertThat(read("90")).isEqualTo(Tree.EMPTY);
    assertThat(read("c0")).isEqualTo(Tree.EMPTY);
  }

  @Test
  void keysMayBeNumbersNumbersOfAnyWidthAndMembersAbsent() {
    String hash = "c420" + HASH;
    Tree expected = new Tree(List.of(entry("a", 0, 0, 5, HASH)));
    for (String member :
        new String[] {
          "83 01 a161 04 05 05" + hash,
          "83 a131 d90161 a134 cc05 a135" + hash,
          "83 01 da000161 04 cd0005 05" + hash,
          "83 01 db0000000161 04 ce00000005 05 c60000002" + "0" + HASH,
          "84 01 a161 02 09 04 d30000000000000005 05" + hash, // a kind that nobody knows
          "85 01 a161 04 05 05" + hash + "a178 92 c3 81 a161 cb0000000000000000 63 d60100000000",
          "de0003 01 a161 04 05 05" + hash,
        }) {
      assertThat(read("91" + member)).as(member).isEqualTo(expected);
      assertThat(read("dc0001" + member)).as(member).isEqualTo(expected);
    }
  }

  @Test
  void namesAreOrderedByTheirBytes() {
    List<TreeEntry> entries = new ArrayList<>();
    for (String name : new String[] {"B", "a", "ab", "a.b", "\uffee", "😀", "ä", "z"}) {
      entries.add(file(name, 0, ""));
    }
    Collections.shuffle(entries, new Random(1));

    Tree tree = Tree.read(new Tree(entries).payload());
    assertThat(tree.entries())
        .extracting(TreeEntry::name)
        .containsExactly("B", "a", "a.b", "ab", "z", "ä", "\uffee", "😀");
    for (TreeEntry entry : entries) {
      assertThat(tree.find(entry.name())).contains(entry);
    }
    assertThat(tree.find("b")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "80", // a map
        "91", // cut short
        "dd7fffffff 80", // two billion entries
        "91 dfffffffff", // a map of four billion
        "91 80", // no name
        "91 82 01 a161 05 c41f" + "11", // cut in the hash
        "91 81 01 a161", // no hash
        "91 82 01 a161 05 c40111", // a short hash
        "91 82 01 a161 05 a3313233", // a hash as text
        "91 82 01 a2c328 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 82 01 a0 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 82 01 a12e 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 82 01 a22e2e 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 82 01 a3612f62 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 82 01 a100 05 c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 83 01 a161 04 ff 05"
            + " c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 83 01 a161 03 ff 05"
            + " c4201111111111111111111111111111111111111111111111111111111111111111",
        "91 01",
        "91 81 63 c1",
      })
  void whatIsNoTreeIsRefused(String hex) {
    assertThatThrownBy(() -> read(hex)).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aNameThatStandsTwiceIsRefused() {
    String entry = "82 01 a161 05 c420" + HASH;
    assertThatThrownBy(() -> read("92" + entry + entry))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("twice in one folder: 'a'");
  }

  @Test
  void whatIsPassedOverIsBoundedToo() {
    assertThatThrownBy(() -> read("91 81 63" + "91".repeat(100_000) + "c0"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("nested deeper");
  }

  @Test
  void onlyPlainNamesAreWritten() {
    for (String name : new String[] {"", ".", "..", "a/b", "a\0", "\ud800", "x".repeat(4_097)}) {
      assertThatThrownBy(() -> file(name, 0, "")).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void longNamesAndManyEntriesComeBack() {
    List<TreeEntry> entries = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      entries.add(file("n" + i, 0, ""));
    }
    for (int length : new int[] {31, 32, 255, 256, 4_096}) {
      entries.add(file("x".repeat(length), 0xffff_ffff, ""));
    }
    Tree tree = new Tree(entries);
    assertThat(Tree.read(tree.payload())).isEqualTo(tree);
    Tree twenty = new Tree(entries.subList(0, 20));
    assertThat(Tree.read(twenty.payload())).isEqualTo(twenty);
  }

  @Test
  void garbledTreesAreReadOrRefused() {
    byte[] bytes =
        new Tree(List.of(file("hello.txt", 0644, "hello"), file("b", 0, ""))).payload().bytes();
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] garbled = bytes.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        garbled[random.nextInt(garbled.length)] = (byte) random.nextInt();
      }
      try {
        Tree tree = Tree.read(Payload.wrap(garbled));
        assertThat(Tree.read(tree.payload())).as("seed %d", seed).isEqualTo(tree);
      } catch (StoreException.Invalid e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
