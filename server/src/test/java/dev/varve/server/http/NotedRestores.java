// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import dev.varve.server.files.FileRestores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Restores that happen in memory only. Turns whose payload is `bare` keep no snapshot.
final class NotedRestores implements FileRestores {

  static final BlobHash AGREED = Blake3.hash(Served.utf8("the plan"));

  private static final String PLAN =
      "{\"root\":\"/src/shop\",\"plan_digest\":\""
          + AGREED
          + "\",\"is_allowed\":true,\"snapshot\":\"ab\",\"changes\":1,"
          + "\"size\":\"Paths: 1 changed.\",\"path_count\":1,\"paths\":[{\"path\":\"a\","
          + "\"path_escaped\":\"a\",\"action\":\"change\",\"why\":\"\",\"edited_since\":true,"
          + "\"failure\":\"\",\"content_now\":\""
          + AGREED
          + "\",\"content_then\":null}]}";

  private static final String OUTCOME =
      "{\"root\":\"/src/shop\",\"snapshot\":\"ab\",\"changes\":1,\"failure_count\":1,"
          + "\"failures\":[{\"path\":\"a\",\"path_escaped\":\"a\",\"failure\":\"is in use\"}]}";

  /// The calls, in their order: what was asked, the kind, and the turn.
  final List<String> calls = new ArrayList<>();

  final List<TurnId> turns = new ArrayList<>();
  private final boolean isAllowed;

  NotedRestores(boolean isAllowed) {
    this.isAllowed = isAllowed;
  }

  @Override
  public Optional<String> plan(Store store, Turn turn, Kind kind) {
    return answer("plan", turn, kind, PLAN);
  }

  @Override
  public boolean areCarriedOut() {
    return isAllowed;
  }

  @Override
  public Optional<String> carryOut(Store store, Turn turn, Kind kind, BlobHash agreed) {
    if (!agreed.equals(AGREED)) {
      throw new StoreException.Conflict("plan of the restore", "" + agreed, "" + AGREED);
    }
    return answer("carry out", turn, kind, OUTCOME);
  }

  private Optional<String> answer(String what, Turn turn, Kind kind, String answer) {
    if (Payload.utf8("bare").equals(turn.payload())) {
      return Optional.empty();
    }
    calls.add(what + " " + kind);
    turns.add(turn.id());
    return Optional.of(answer);
  }
}
