// SPDX-License-Identifier: Apache-2.0

import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ContextsApi;
import org.openapitools.client.model.AppendedTurn;
import org.openapitools.client.model.Id;
import org.openapitools.client.model.MadeContext;
import org.openapitools.client.model.NewTurn;
import org.openapitools.client.model.TurnPage;

/// Writes a conversation with the generated client and reads it again. The argument is the
/// service's address.
public final class Conversation {

  private Conversation() {}

  private static String text(Id id) {
    return id.getActualInstance().toString();
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    ContextsApi contexts = new ContextsApi(client);

    MadeContext made = contexts.createContext(null, null);
    String context = text(made.getContextId());
    NewTurn turn = new NewTurn().typeId("note").typeVersion(1L).data(Map.of("text", "from Java"));
    AppendedTurn appended = contexts.appendTurn(context, turn, null);
    TurnPage page =
        contexts.listTurns(
            context, 10L, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null);

    expect("the turn", text(appended.getTurnId()), text(page.getTurns().getFirst().getTurnId()));
    expect("its payload", Map.of("text", "from Java"), page.getTurns().getFirst().getData());
    long now = System.currentTimeMillis();
    expect("a time of today", true, Math.abs(now - made.getCreatedAtUnixMs()) < 86_400_000);
    IO.println("the generated client in Java: a conversation written and read");
  }

  private static void expect(String what, Object wanted, Object found) {
    if (!Objects.equals(wanted, found)) {
      throw new AssertionError(what + ": expected " + wanted + ", found " + found);
    }
  }
}
