// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `varve sync --watch` as a process that a signal ends.
@Timeout(120)
final class SyncWatchTest {

  private static final String ID = "00000000-0000-4000-8000-000000000002";

  @TempDir Path folder;

  private Process watch;

  private Path store() {
    return folder.resolve("store");
  }

  private Path transcript() {
    return folder.resolve("home/.qwen/projects/-src-shop/chats/" + ID + ".jsonl");
  }

  private static String line(String uuid, String parent, String text) {
    return """
    {"uuid":"%s","parentUuid":%s,"sessionId":"%s","timestamp":"2026-01-05T09:00:00.000Z",\
    "type":"user","cwd":"/src/shop","message":{"role":"user","parts":[{"text":"%s"}]}}
    """
        .formatted(uuid, parent.isEmpty() ? "null" : "\"" + parent + "\"", ID, text);
  }

  private BufferedReader start(String... properties) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(properties));
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.varve.cli.Main",
            "sync",
            "--watch",
            "--store",
            store().toString()));
    if (properties.length == 0) {
      command.add("--json");
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("talk").toFile());
    builder.environment().put("HOME", folder.resolve("home").toString());
    watch = builder.start();
    return new BufferedReader(
        new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8));
  }

  @AfterEach
  void kill() throws InterruptedException {
    if (watch != null) {
      watch.destroyForcibly().waitFor();
    }
  }

  private void write(String text) throws IOException {
    Files.createDirectories(transcript().getParent());
    Files.writeString(transcript(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private String talk() throws IOException {
    return Files.readString(folder.resolve("talk"));
  }

  @Test
  void eachChangeIsALineOfJsonAndASignalEndsItWell() throws Exception {
    write(line("u", "", "oil the hinge"));
    BufferedReader out = start();

    assertThat(out.readLine()).contains("\"outcome\":\"new\"", "\"agent\":\"qwen\"");
    write(line("v", "u", "and the lock"));
    assertThat(out.readLine()).contains("\"outcome\":\"grown\"", "\"turns_new\":1");

    watch.toHandle().destroy(); // destroy() would close the streams
    assertThat(out.readLine()).isNull();
    assertThat(watch.waitFor()).isZero();
    assertThat(talk()).isEqualTo("watching; Control-C stops it.\n");
    assertThat(Call.varve(store(), "contexts").out()).contains("oil the hinge");
    assertThat(Call.varve(store(), "check").out()).contains("no problems");
  }

  @Test
  void aServiceThatHoldsTheStoreIsUsed() throws Exception {
    Process service = ServiceProcess.startReady(store(), folder.resolve("service"));
    try {
      write(line("u", "", "oil the hinge"));
      BufferedReader out = start();
      assertThat(out.readLine()).contains("\"outcome\":\"new\"");
      write(line("v", "u", "and the lock"));
      String grown = out.readLine();
      assertThat(grown).contains("\"outcome\":\"grown\"");
      String context = grown.replaceFirst(".*\"context_ids\":\\[\"(\\d+)\".*", "$1");
      assertThat(Call.varve(store(), "log", context).out()).contains("and the lock");
    } finally {
      service.destroy();
      assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void atATerminalEachChangeIsALineOfTalkThatFits() throws Exception {
    write(line("u", "", "oil the hinge ".repeat(20)));
    BufferedReader out = start("-Dvarve.terminal=err");

    while (!talk().contains("qwen")) {
      assertThat(watch.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
    }
    watch.toHandle().destroy(); // destroy() would close the streams

    assertThat(out.readLine()).as("results").isNull();
    assertThat(talk().lines().toList())
        .last()
        .asString()
        .matches("\\d\\d:\\d\\d:\\d\\d  qwen +new +1 turn +oil the hinge .*")
        .hasSizeLessThanOrEqualTo(80);
  }

  @Test
  void aFolderThatIsNoStoreIsRefused() throws Exception {
    Files.createDirectories(store());
    Files.writeString(store().resolve("letter"), "dear reader");

    Call.Result refused = new Call().with("HOME", folder.toString()).on(store(), "sync", "--watch");

    assertThat(refused.status()).isNotZero();
    assertThat(refused.err()).contains("no Varve store here");
  }
}
