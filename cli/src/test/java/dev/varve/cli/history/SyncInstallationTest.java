// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.cli.Call;
import dev.varve.cli.session.CommandException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

final class SyncInstallationTest {

  private static final String LINUX = "Linux";

  /// A call with everything that a unit must quote.
  private static final WatchCall ODD =
      new WatchCall(
          Path.of("/opt/my tools/100%/varve"),
          Path.of("/data/a\"b\\c/$HOME/<&>'"),
          List.of("codex"),
          Map.of("CODEX_HOME", "/users/me/100% $x \"y\""),
          Path.of("/users/me"));

  @TempDir Path folder;

  private Call.Result varve(String... args) {
    return new Call()
        .with("HOME", folder.resolve("home").toString())
        .with("PATH", folder.resolve("bin").toString())
        .with("CODEX_HOME", "/elsewhere/codex")
        .on(folder.resolve("store"), args);
  }

  private void installCommand() throws Exception {
    Path command = Files.createDirectories(folder.resolve("bin")).resolve("varve");
    Files.writeString(command, "#!/bin/sh\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  private SyncInstallation installation(String system, boolean systemd) {
    return new SyncInstallation(
        SystemSupervisor.unit(ODD, system, systemd, folder.resolve("config")), Call.terminal());
  }

  @Test
  void theUnitCallsThisCommandOnThisStoreAndNothingIsInstalled() throws Exception {
    installCommand();

    Call.Result printed = varve("sync", "codex", "--install");

    assertThat(printed.status()).isZero();
    assertThat(printed.out())
        .contains(folder.resolve("bin/varve").toString(), folder.resolve("store").toString())
        .contains("codex", "CODEX_HOME", "/elsewhere/codex")
        .doesNotContain("CLAUDE_CONFIG_DIR");
    assertThat(folder.resolve("home")).doesNotExist();
    assertThat(folder.resolve("store")).doesNotExist();
    assertThat(printed.err()).contains("start it");
    assertThat(varve("sync", "--install", "--json").out())
        .contains("\"state\":\"printed\"", "\"kind\":");
  }

  @Test
  void aCommandThatIsNotFoundIsRefused() {
    assertThat(varve("sync", "--install").status()).isEqualTo(2);
    assertThat(varve("sync", "--write").status()).isEqualTo(2);
    assertThat(varve("sync", "--install", "--watch").status()).isEqualTo(2);
  }

  @Test
  void aUnitOfSystemdQuotesItsWords() {
    WatchUnit unit = SystemSupervisor.unit(ODD, LINUX, true, Path.of("/users/me/.config"));

    assertThat(unit.file()).hasToString("/users/me/.config/systemd/user/varve-sync.service");
    assertThat(unit.content())
        .contains(
            """
            ExecStart="/opt/my tools/100%%/varve" "--store" "/data/a\\"b\\\\c/$$HOME/<&>'" "sync" \
            "codex" "--watch"
            Environment="CODEX_HOME=/users/me/100%% $x \\"y\\""
            Restart=on-failure
            """);
    assertThat(unit.start()).contains("systemctl --user enable --now varve-sync.service");
  }

  @Test
  void anAgentOfLaunchdIsXml() throws Exception {
    WatchUnit unit = SystemSupervisor.unit(ODD, "Mac OS X", false, Path.of("/"));

    assertThat(unit.file()).hasToString("/users/me/Library/LaunchAgents/dev.varve.sync.plist");
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Document document =
        factory
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(unit.content().getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getDocumentElement().getTextContent().lines().map(String::strip))
        .containsSubsequence(
            ODD.command().toString(), "--store", ODD.store().toString(), "sync", "codex", "--watch")
        .contains("CODEX_HOME", "/users/me/100% $x \"y\"");
    assertThat(unit.content()).contains("<key>SuccessfulExit</key>\n    <false/>");
  }

  @Test
  void withoutASupervisorThereIsALineForCron() {
    WatchUnit unit = SystemSupervisor.unit(ODD, LINUX, false, Path.of("/"));

    assertThat(unit.file()).isNull();
    assertThat(unit.content())
        .isEqualTo(
            "*/10 * * * * CODEX_HOME='/users/me/100\\% $x \"y\"' '/opt/my tools/100\\%/varve'"
                + " --store '/data/a\"b\\c/$HOME/<&>'\\''' sync codex --quiet > /dev/null\n");
    assertThat(unit.start().getFirst()).startsWith("crontab -e");
  }

  @Test
  void aUnitIsWrittenOnceAndNeverOverAnother() throws Exception {
    SyncInstallation installation = installation(LINUX, true);
    Path file = installation.unit().file();

    assertThat(installation.write(false)).isZero();
    assertThat(file).hasContent(installation.unit().content().stripTrailing());
    assertThat(installation.write(true)).as("again").isZero();

    Files.writeString(file, "another");
    assertThat(catchThrowableOfType(CommandException.class, () -> installation.write(false)))
        .hasMessageContaining("another file is there");
    assertThat(file).hasContent("another");
    Files.delete(file);
    Files.createSymbolicLink(file, folder.resolve("nowhere"));
    assertThat(catchThrowableOfType(CommandException.class, () -> installation.write(false)))
        .isNotNull();
    assertThat(folder.resolve("nowhere")).doesNotExist();
    assertThat(
            catchThrowableOfType(
                CommandException.class, () -> installation(LINUX, false).write(false)))
        .hasMessageContaining("cron");
  }
}
