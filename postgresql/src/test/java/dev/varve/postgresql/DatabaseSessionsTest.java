// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Durability;
import dev.varve.StoreException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DatabaseSessionsTest {

  @Test
  void aDatabaseThatIsNotThereIsRefusedByNameWhenPatienceIsOver() throws Exception {
    PostgresAddress address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address =
          PostgresAddress.parse(
              "postgresql://ada:secret@127.0.0.1:%d/team".formatted(free.getLocalPort()));
    }
    try (DatabaseSessions sessions =
        new DatabaseSessions(address, Durability.FORCE_GROUPED, Duration.ofMillis(1))) {
      assertThatThrownBy(() -> sessions.ask((_, _) -> true))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageStartingWith(address + ": does not answer: ")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void closedSessionsAskNothing() {
    DatabaseSessions sessions =
        new DatabaseSessions(
            PostgresAddress.parse("postgresql://127.0.0.1/team"),
            Durability.FORCE_GROUPED,
            Duration.ofMillis(1));
    sessions.close();

    assertThatThrownBy(() -> sessions.ask((_, _) -> true))
        .isInstanceOf(StoreException.Closed.class);
  }
}
