// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cli.AppendingClient;
import dev.varve.cli.ServiceProcess;
import dev.varve.cli.Shell;
import dev.varve.cli.session.ExitCodes;
import dev.varve.local.LocalStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `varve serve` as a process of its own, told to stop, or copied, while many clients append.
final class ServeProcessTest {

  private static final int CLIENTS = 6;
  private static final int APPENDS_EACH = 20;
  private static final int PATIENCE_SECONDS = 120;
  private static final Pattern PORT = Pattern.compile("\"binary\":\"127\\.0\\.0\\.1:(\\d+)\"");

  @TempDir Path folder;
  private Process server;
  private InetSocketAddress address;
  private final List<AppendingClient> clients = new ArrayList<>();

  private void serve() throws IOException {
    server = ServiceProcess.start(folder.resolve("store"), folder.resolve("talk"));
    BufferedReader out = server.inputReader();
    Matcher port = PORT.matcher(String.valueOf(out.readLine()));
    assertThat(port.find()).as(Files.readString(folder.resolve("talk"))).isTrue();
    address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
  }

  /// Lets clients append until each has done so some times.
  private void load() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(AppendingClient.start(address, i));
    }
    clients.forEach(client -> client.awaitAcknowledged(APPENDS_EACH));
  }

  @AfterEach
  void end() throws InterruptedException {
    server.destroyForcibly().waitFor();
    clients.forEach(AppendingClient::awaitEnd);
  }

  private static void demand(LocalStore store, List<AppendingClient.Noted> acknowledged) {
    assertThat(store.check().problems()).isEmpty();
    for (AppendingClient.Noted noted : acknowledged) {
      Turn turn = store.turn(new TurnId(noted.turn()), View.LATEST);
      assertThat(turn.context()).isEqualTo(new ContextId(noted.context()));
      assertThat(turn.depth()).isEqualTo(noted.depth());
      assertThat(turn.payload()).isEqualTo(Payload.wrap(noted.payload()));
    }
  }

  @Test
  void toldToStopUnderLoadItAnswersWhatItAcceptedAndEndsInOrder() throws Exception {
    serve();
    load();
    try (Socket idle = new Socket()) {
      idle.connect(address);
      server.destroy(); // SIGTERM
      assertThat(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(server.exitValue()).isEqualTo(ExitCodes.OK);
      assertThat(idle.getInputStream().read()).as("an idle client is told").isEqualTo(-1);
    }
    assertThat(Files.readString(folder.resolve("talk"))).contains("stopping");
    clients.forEach(AppendingClient::awaitEnd);
    assertThat(clients).allSatisfy(client -> assertThat(client.ending()).isNotEmpty());
    assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()).close())
        .isInstanceOf(IOException.class);

    try (LocalStore store =
        LocalStore.openExisting(folder.resolve("store"), StoreOptions.DEFAULTS)) {
      for (AppendingClient client : clients) {
        demand(store, client.acknowledged());
        assertThat(store.head(new ContextId(client.context())).headDepth())
            .as("of %s, the last of which may have been told nothing of", client)
            .isBetween(client.acknowledged().size() - 1, client.acknowledged().size());
      }
    }
  }

  @Test
  void aCopyOfTheFolderMadeWhileTheProcessStandsStillIsABackup() throws Exception {
    serve();
    load();
    List<AppendingClient.Noted> before = new ArrayList<>();
    clients.forEach(client -> before.addAll(client.acknowledged()));
    Path copy = folder.resolve("copy");
    signal("STOP");
    copy(folder.resolve("store"), copy);
    signal("CONT");
    clients.forEach(client -> client.awaitAcknowledged(client.acknowledged().size() + 1));

    try (LocalStore store = LocalStore.openExisting(copy, StoreOptions.DEFAULTS)) {
      demand(store, before);
    }
    assertThat(server.isAlive()).isTrue();
    server.destroy();
    assertThat(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isEqualTo(ExitCodes.OK);
  }

  private void signal(String name) throws IOException, InterruptedException {
    Shell.Result sent = Shell.run("kill", "-" + name, Long.toString(server.pid()));
    assertThat(sent.status()).as(sent.err()).isZero();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        if (!Files.readAttributes(file, BasicFileAttributes.class).isOther()) { // not the socket
          Files.copy(file, to.resolve(from.relativize(file)));
        }
      }
    }
  }
}
