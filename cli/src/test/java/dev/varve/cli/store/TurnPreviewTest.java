// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TurnPreviewTest {

  @TempDir Path folder;

  private static Payload hex(String digits) {
    return Payload.wrap(HexFormat.of().parseHex(digits));
  }

  @Test
  void msgpackIsShownAsJson() {
    try (LocalStore store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS)) {
      assertThat(preview(store, "82a4726f6c65a475736572a474657874a26869", Encoding.MSGPACK))
          .isEqualTo("user: hi");
      assertThat(preview(store, "8201c30a", Encoding.MSGPACK)).isEqualTo("(binary)");
      assertThat(preview(store, "82010203c0", Encoding.MSGPACK)).isEqualTo("{\"1\":2,\"3\":null}");
      assertThat(preview(store, "82a4726f6c65a475736572a474657874a2ffff", Encoding.RAW))
          .isEqualTo("(binary)");
    }
  }

  private static String preview(LocalStore store, String digits, Encoding encoding) {
    ContextId context = store.createContext().id();
    Turn turn = store.append(context, NewTurn.of(hex(digits), new DeclaredType("x", 1), encoding));
    return TurnPreview.of(turn, store);
  }
}
