// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SidecarTest {

  private static final BlobHash SRC = Blake3.hash("abc".getBytes(StandardCharsets.UTF_8));
  private static final String SRC_HEX =
      "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
  private static final String ROOT =
      "{\"type\":\"branch\",\"version\":1,\"src\":\"" + SRC_HEX + "\",\"parent\":null}";
  private static final String ROOT_HEX =
      "499b4e1ad67993c882449f27eddde3c5b3d9b01c556c2a03d91a84f1abb81ebe";

  @Test
  void itsBytesAreThoseOfThePage() throws IOException {
    Sidecar root = new Sidecar(SRC, null);
    Sidecar fork = new Sidecar(SRC, root.hash());

    assertThat(root.payload().text()).isEqualTo(ROOT);
    assertThat(root.hash()).hasToString(ROOT_HEX);
    assertThat(fork.payload().text()).isEqualTo(ROOT.replace("null", "\"" + ROOT_HEX + "\""));
    assertThat(Files.readString(Path.of(System.getProperty("root.dir"), "docs/format/branch.md")))
        .contains(ROOT, ROOT_HEX, fork.payload().text(), fork.hash().toString());
  }

  @Test
  void whatIsWrittenIsRead() {
    Sidecar fork = new Sidecar(SRC, SRC);

    assertThat(Sidecar.read(fork.payload(), "x")).isEqualTo(fork);
    assertThat(Sidecar.read(new Sidecar(SRC, null).payload(), "x").parent()).isNull();
  }

  @Test
  void anotherProgramsFormIsReadToo() {
    String spaced =
        "{ \"parent\" : null,\n \"src\": \""
            + SRC_HEX
            + "\", \"more\": [{}], \"version\": 1,"
            + " \"type\": \"branch\" }\n";

    assertThat(Sidecar.read(Payload.utf8(spaced), "x")).isEqualTo(new Sidecar(SRC, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"type\":\"branch\"}",
        "TWICE",
        "{\"type\":\"commit\",\"version\":1,\"src\":\"HASH\",\"parent\":null}",
        "{\"type\":\"branch\",\"version\":0,\"src\":\"HASH\",\"parent\":null}",
        "{\"type\":\"branch\",\"version\":\"1\",\"src\":\"HASH\",\"parent\":null}",
        "{\"type\":\"branch\",\"version\":1,\"src\":\"HASH\"}",
        "{\"type\":\"branch\",\"version\":1,\"src\":\"HASH\",\"parent\":\"../x\"}",
        "{\"type\":\"branch\",\"version\":1,\"src\":\"HASH\",\"parent\":{}}",
        "{\"type\":\"branch\",\"version\":1,\"src\":null,\"parent\":null}",
        "{\"type\":\"branch\",\"version\":1,\"src\":\"hash\",\"parent\":null}",
        "{\"type\":\"branch\",\"version\":1,\"src\":\"HASH\",\"parent\":null"
      })
  void whatIsNoneIsRefused(String text) {
    Payload bytes = Payload.utf8(text.replace("TWICE", ROOT + ROOT).replace("HASH", SRC_HEX));

    assertThatThrownBy(() -> Sidecar.read(bytes, "received"))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageStartingWith("received at byte 0: expected a branch sidecar");
  }

  @Test
  void nestingAndSizeAreBounded() {
    String deep =
        ROOT.replace("{\"type\"", "{\"x\":" + "[".repeat(1000) + "]".repeat(1000) + ",\"type\"");
    String long_ = ROOT.replace("{\"type\"", "{\"x\":\"" + "y".repeat(5000) + "\",\"type\"");

    assertThatThrownBy(() -> Sidecar.read(Payload.utf8(deep), "x"))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> Sidecar.read(Payload.utf8(long_), "x"))
        .isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aLaterVersionIsToldFromDamage() {
    assertThatThrownBy(
            () -> Sidecar.read(Payload.utf8(ROOT.replace("version\":1", "version\":2")), "x"))
        .isInstanceOf(StoreException.FormatTooNew.class);
  }
}
