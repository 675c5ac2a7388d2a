// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.tree.Tree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The route to the plan of a restore: which turn it asks the planner about.
final class RestorePlanTest {

  @TempDir Path folder;

  @Test
  void thePlanIsThatOfTheNearestTurnWithFiles() {
    List<TurnId> asked = new ArrayList<>();
    List<Payload> payloads = new ArrayList<>();
    try (Served served =
        new Served(
            folder,
            Served.ANY_PORT.withPlanner(
                (store, turn) -> {
                  asked.add(turn.id());
                  payloads.add(turn.payload());
                  return payloads.size() == 1 ? Optional.of("{\"root\":\"/x\"}") : Optional.empty();
                }))) {
      var context = served.store.createContext().id();
      Turn bare = served.store.append(context, note("bare"));
      BlobHash root = served.store.put(new Tree(List.of()).payload());
      Turn snapshot = served.store.append(context, note("snapshot").withFsRoot(root));
      Turn later = served.store.append(context, note("later"));

      var reply = served.post(at(later), "");
      assertThat(reply.text()).isEqualTo("{\"root\":\"/x\"}");
      assertThat(reply.header("Content-Type")).startsWith("application/json");
      assertThat(asked).containsExactly(snapshot.id());
      assertThat(payloads).containsExactly(Payload.utf8("snapshot"));

      assertThat(served.post(at(snapshot), "").status()).isEqualTo(404);
      assertThat(served.post(at(bare), "").status()).isEqualTo(404);
      assertThat(asked).hasSize(2);
      assertThat(served.get(at(later)).status()).isEqualTo(405);
    }
  }

  private static String at(Turn turn) {
    return "/v1/turns/" + turn.id() + "/restore-plan";
  }

  private static NewTurn note(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.RAW);
  }
}
