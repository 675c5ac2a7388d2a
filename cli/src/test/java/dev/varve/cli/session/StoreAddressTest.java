// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The address of a store on a command line.
final class StoreAddressTest {

  private static CommandSession session(Map<String, String> environment) {
    return new CommandSession(
        new Terminal(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream(),
            new Terminal.Surroundings(
                "varve",
                environment,
                InstantSource.system(),
                ZoneOffset.UTC,
                false,
                false,
                false,
                80)));
  }

  private static StoreAddress named(String text) {
    CommandSession session = session(Map.of("HOME", "/h", "VARVE_STORE", "/other"));
    session.nameStore(text);
    return session.address();
  }

  @Test
  void theOptionCountsMostThenTheVariableThenTheUsersData() {
    assertThat(named("here")).isEqualTo(new StoreAddress.InFolder(Path.of("here")));
    assertThat(session(Map.of("HOME", "/h", "VARVE_STORE", "/s")).address())
        .isEqualTo(new StoreAddress.InFolder(Path.of("/s")));
    assertThat(session(Map.of("XDG_DATA_HOME", "/x")).address())
        .isEqualTo(new StoreAddress.InFolder(Path.of("/x/varve/store")));
  }

  @Test
  void anAddressIsShownWithoutUserAndPassword() {
    StoreAddress address = named("postgresql://ann:secret@db.example:5432/team?sslmode=require");

    assertThat(address.shown()).isEqualTo("postgresql://db.example:5432/team?schema=varve");
    assertThat(address.toString()).doesNotContain("ann").doesNotContain("secret");
  }

  @Test
  void eachAddressHasAFolderOfItsOwnForWhatThisMachineKeeps() {
    Path first = named("postgresql://db.example/team").folder();

    assertThat(first.toString())
        .startsWith("/h/.local/share/varve/databases/db.example-team-schema-varve-")
        .endsWith("/store");
    assertThat(named("postgresql://ann:secret@db.example/team").folder()).isEqualTo(first);
    assertThat(named("postgresql://db.example/team?schema=b").folder()).isNotEqualTo(first);
    assertThat(named("postgresql://h/" + "d".repeat(500)).folder().getParent().getFileName())
        .asString()
        .hasSizeLessThan(100);
  }

  @Test
  void theVariableMayHoldAnAddress() {
    assertThat(session(Map.of("HOME", "/h", "VARVE_STORE", "postgresql://h/d")).address())
        .isInstanceOf(StoreAddress.InDatabase.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mysql://h/keyspace", "http://h:9010"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> named(text))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--store")
        .message()
        .doesNotContain("keyspace");
  }

  @Test
  void aBrokenAddressIsRefusedWithoutItsPassword() {
    assertThatThrownBy(() -> named("postgresql://ann:secret@/"))
        .isInstanceOf(StoreException.Invalid.class)
        .message()
        .doesNotContain("secret");
  }

  @Test
  void whatNeedsAFolderSaysSo() {
    CommandSession session = session(Map.of("HOME", "/h", "VARVE_STORE", "postgresql://h/d"));

    assertThatThrownBy(session::requireFolder)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("postgresql://h/d");
  }
}
