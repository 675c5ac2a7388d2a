// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.turn.AncestorSearch.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Walks by leaps find what walks from parent to parent find, and look at few turns on the way.
class AncestorSearchTest {

  /// A forest; turn `n` is at index `n - 1`.
  private static final class Forest {
    final List<Link> links = new ArrayList<>();
    final AncestorSearch ancestry = new AncestorSearch(this::link);
    long visits;

    private Link link(long turnId) {
      visits++;
      return links.get(Math.toIntExact(turnId - 1));
    }

    long add(long parentId) {
      long id = links.size() + 1;
      if (parentId == 0) {
        links.add(new Link(id, 0, 0, id));
      } else {
        Link parent = links.get(Math.toIntExact(parentId - 1));
        links.add(new Link(id, parentId, parent.depth() + 1, ancestry.jumpOfChild(parent)));
      }
      return id;
    }

    List<Long> pathTo(long turnId) {
      List<Long> path = new ArrayList<>();
      for (long at = turnId; at != 0; at = links.get(Math.toIntExact(at - 1)).parentTurnId()) {
        path.addFirst(at);
      }
      return path;
    }
  }

  @Test
  void howDeepAJumpLeadsIsKnownFromTheDepthAlone() {
    Forest forest = new Forest();
    long last = forest.add(0);
    for (int depth = 1; depth < 5_000; depth++) {
      last = forest.add(last);
      Link link = forest.links.get(Math.toIntExact(last - 1));
      Link jump = forest.links.get(Math.toIntExact(link.jumpTurnId() - 1));

      assertThat(AncestorSearch.jumpDepth(depth)).as("depth %s", depth).isEqualTo(jump.depth());
    }
    assertThat(AncestorSearch.jumpDepth(0)).isZero();
    assertThat(AncestorSearch.jumpDepth(Integer.MAX_VALUE)).isZero();
  }

  @Test
  void anAncestorIsFoundWithAboutALookAStep() {
    Forest forest = new Forest();
    long last = forest.add(0);
    for (int depth = 1; depth < 1 << 17; depth++) {
      last = forest.add(last);
    }
    SplittableRandom random = new SplittableRandom(7);
    long most = 0;
    for (int i = 0; i < 1_000; i++) {
      forest.visits = 0;
      forest.ancestry.ancestor(last, random.nextInt(1 << 17));
      most = Math.max(most, forest.visits);
    }
    assertThat(most).as("looks for an ancestor among 2^17").isLessThanOrEqualTo(2 * 17 + 2);
  }

  /// Where damage was in the way when a turn was added, it leaps to its parent only, and its like
  /// on another branch need not.
  @Test
  void walksAgreeEvenIfSomeLeapsAreShorterThanTheirLike() {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Forest forest = new Forest();
      forest.add(0);
      for (int i = 1; i < 200; i++) {
        long parent = Math.max(1, i - random.nextInt(1, 4));
        Link added = forest.links.get(Math.toIntExact(forest.add(parent)) - 1);
        if (random.nextInt(3) == 0) {
          forest.links.set(i, new Link(added.turnId(), parent, added.depth(), parent));
        }
      }
      for (int i = 0; i < 200; i++) {
        long a = random.nextLong(1, 201);
        long b = random.nextLong(1, 201);
        List<Long> common = forest.pathTo(a);
        common.retainAll(forest.pathTo(b));
        assertThat(forest.ancestry.common(a, b)).as("seed " + seed).isEqualTo(common.getLast());
      }
    }
  }

  private static double log2(long number) {
    return Math.log(number) / Math.log(2);
  }

  @Test
  void walksInRandomForestsAgreeWithWalksFromParentToParent() {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Forest forest = new Forest();
      int shape = random.nextInt(1, 20);
      for (int i = 0; i < 300; i++) {
        long newest = forest.links.size();
        boolean root = newest == 0 || random.nextInt(60) == 0;
        boolean goesOn = random.nextInt(20) < shape;
        forest.add(root ? 0 : goesOn ? newest : random.nextLong(1, newest + 1));
      }
      for (int i = 0; i < 300; i++) {
        long a = random.nextLong(1, 301);
        long b = random.nextLong(1, 301);
        List<Long> pathA = forest.pathTo(a);
        List<Long> pathB = forest.pathTo(b);
        int depth = random.nextInt(pathA.size());
        assertThat(forest.ancestry.ancestor(a, depth))
            .as("ancestor of %d at depth %d, seed %d", a, depth, seed)
            .isEqualTo(pathA.get(depth));
        assertThat(forest.ancestry.common(a, b))
            .as("common ancestor of %d and %d, seed %d", a, b, seed)
            .isEqualTo(lastInBoth(pathA, pathB));
      }
    }
  }

  private static long lastInBoth(List<Long> a, List<Long> b) {
    long common = 0;
    for (int i = 0; i < Math.min(a.size(), b.size()) && a.get(i).equals(b.get(i)); i++) {
      common = a.get(i);
    }
    return common;
  }

  @Test
  void aJumpLeadsToAnAncestorAndARootJumpsToItself() {
    Forest forest = new Forest();
    long id = forest.add(0);
    assertThat(forest.links.getFirst().jumpTurnId()).isEqualTo(id);
    for (int i = 0; i < 1000; i++) {
      id = forest.add(id);
      Link link = forest.links.getLast();
      assertThat(link.jumpTurnId()).isBetween(1L, id - 1);
    }
  }

  @Test
  void anAncestorIsFoundInLogarithmicallyManySteps() {
    int length = 100_000;
    Forest forest = new Forest();
    long id = 0;
    for (int i = 0; i < length; i++) {
      long before = forest.visits;
      id = forest.add(id);
      assertThat(forest.visits - before).as("turns looked at to append one").isLessThanOrEqualTo(2);
    }
    SplittableRandom random = new SplittableRandom(1);
    long most = 0;
    for (int i = 0; i < 20_000; i++) {
      long from = random.nextLong(1, length + 1);
      int depth = random.nextInt(Math.toIntExact(from));
      long before = forest.visits;
      assertThat(forest.ancestry.ancestor(from, depth)).isEqualTo(depth + 1L);
      most = Math.max(most, forest.visits - before);
    }
    assertThat(most).as("turns looked at").isLessThan((long) (4 * log2(length)));
  }

  @Test
  void aCommonAncestorIsFoundInLogarithmicallyManySteps() {
    int length = 50_000;
    Forest forest = new Forest();
    long trunk = 0;
    for (int i = 0; i < length; i++) {
      trunk = forest.add(trunk);
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20; i++) {
      long forkedAt = random.nextLong(1, length + 1);
      long a = forkedAt;
      long b = forkedAt;
      for (int n = random.nextInt(2_000); n > 0; n--) {
        a = forest.add(a);
      }
      for (int n = random.nextInt(2_000); n > 0; n--) {
        b = forest.add(b);
      }
      long before = forest.visits;
      assertThat(forest.ancestry.common(a, b)).isEqualTo(forkedAt);
      assertThat(forest.visits - before)
          .as("turns looked at")
          .isLessThan((long) (10 * log2(length)));
    }
  }
}
