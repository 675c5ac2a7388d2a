// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class TurnGraphTest {

  /// Draws turns given as id and parent, newest first.
  private static String draw(boolean lines, long[]... turns) {
    TurnGraph graph = new TurnGraph(lines);
    List<String> rows = new ArrayList<>();
    for (long[] turn : turns) {
      TurnGraph.Row row = graph.row(new TurnId(turn[0]), new TurnId(turn[1]));
      row.joined().ifPresent(rows::add);
      rows.add(row.drawn() + " " + turn[0]);
    }
    return String.join("\n", rows);
  }

  private static long[] turn(long id, long parent) {
    return new long[] {id, parent};
  }

  @Test
  void aLineIsALine() {
    assertThat(draw(true, turn(3, 2), turn(2, 1), turn(1, 0))).isEqualTo("● 3\n● 2\n● 1");
  }

  @Test
  void threeForksOfOneTurnMeetInOneRow() {
    assertThat(draw(true, turn(4, 1), turn(3, 1), turn(2, 1), turn(1, 0)))
        .isEqualTo(
            """
            ● 4
            │ ● 3
            │ │ ● 2
            ├─┴─╯
            ● 1\
            """);
  }

  @Test
  void aJoinCrossesWhatLiesBetween() {
    assertThat(draw(false, turn(6, 2), turn(5, 1), turn(4, 2), turn(2, 1), turn(1, 0)))
        .isEqualTo(
            """
            * 6
            | * 5
            | | * 4
            |-+-'
            * | 2
            |-'
            * 1\
            """);
  }

  @Test
  void aSecondRootUsesTheColumnThatGotFree() {
    assertThat(draw(true, turn(5, 3), turn(4, 0), turn(3, 1), turn(2, 0), turn(1, 0)))
        .isEqualTo(
            """
            ● 5
            │ ● 4
            ● 3
            │ ● 2
            ● 1\
            """);
  }

  @Test
  void everyTurnOfAnyTreeGetsExactlyOneMark() {
    long seed = new Random().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 200; run++) {
      int size = 1 + random.nextInt(40);
      TurnGraph graph = new TurnGraph(true);
      long[] parents = new long[size + 1];
      for (int id = 1; id <= size; id++) {
        parents[id] = random.nextInt(4) == 0 ? 0 : random.nextLong(id);
      }
      for (int id = size; id >= 1; id--) {
        TurnGraph.Row row = graph.row(new TurnId(id), new TurnId(parents[id]));
        assertThat(row.drawn().chars().filter(c -> c == '●')).as("seed %d", seed).hasSize(1);
        row.joined()
            .ifPresent(join -> assertThat(join).as("seed %d", seed).contains("├").contains("╯"));
      }
    }
  }
}
