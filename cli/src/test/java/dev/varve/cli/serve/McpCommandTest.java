// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.server.StoreTools;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `varve mcp`: messages on standard input, answers on standard output.
final class McpCommandTest {

  @TempDir Path folder;

  private Call.Result talk(String... messages) {
    return new Call().input(String.join("\n", messages) + "\n").on(folder.resolve("s"), "mcp");
  }

  private static String tool(int id, String name, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
        .formatted(id, name, arguments);
  }

  @Test
  void eachRequestIsAnsweredOnALineAndANotificationIsNot() {
    Call.Result result =
        talk(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}\r",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "",
            tool(2, "varve_create_context", "{}"),
            tool(
                3,
                "varve_append_message",
                "{\"context_id\":1,\"role\":\"user\",\"text\":\"milk\"}"));

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.lines()).hasSize(3);
    assertThat(result.lines().get(0)).contains("\"id\":1", "\"serverInfo\":{\"name\":\"varve\"");
    assertThat(result.lines().get(1)).contains("\"id\":2", "\\\"context_id\\\":\\\"1\\\"");
    assertThat(result.lines().get(2)).contains("\"isError\":false");
    assertThat(varve(folder.resolve("s"), "log", "1").out()).contains("milk");
  }

  @Test
  void badMessagesAreAnsweredAndTheNextOneIsUnderstood() {
    Call.Result result =
        talk(
            "nonsense",
            "[1]",
            "{\"id\":1}",
            "x".repeat(StoreTools.MESSAGE_BYTES_MAX + 10),
            tool(2, "varve_get_turns", "{\"context_id\":9}"),
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");

    assertThat(result.status()).isZero();
    assertThat(result.lines()).hasSize(6);
    assertThat(result.lines().get(0)).contains("-32700").contains("\"id\":null");
    assertThat(result.lines().get(1)).contains("-32700");
    assertThat(result.lines().get(2)).contains("-32600");
    assertThat(result.lines().get(3)).contains("-32700", "expected at most");
    assertThat(result.lines().get(4)).contains("\"isError\":true", "context 9");
    assertThat(result.lines().get(5)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}");
  }

  @Test
  void aStoreThatCannotBeOpenedIsAnErrorOfItsRequest() throws Exception {
    Files.createDirectories(folder.resolve("s"));
    Files.writeString(folder.resolve("s/letter"), "no store");

    Call.Result result = talk(tool(8, "varve_list_contexts", "{}"));

    assertThat(result.lines()).hasSize(1);
    assertThat(result.lines().get(0)).contains("\"id\":8", "-32603");
  }
}
