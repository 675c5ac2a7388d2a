// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PiAboutTest {

  private static final PiAbout.Session SESSION =
      new PiAbout.Session("01a2", "s.jsonl", "/src/demo", "Fix \"it\"");

  /// The examples of docs/format/pi-manifest.md.
  @Test
  void theJsonIsThatOfTheDocumentation() {
    assertThat(new PiAbout.Branch(SESSION, 12, "cdb74ac9", new ContextId(3), null).payload().text())
        .isEqualTo(
            "{\"kind\":\"pi.session\",\"session\":\"01a2\","
                + "\"file\":\"s.jsonl\",\"cwd\":\"/src/demo\",\"title\":\"Fix"
                + " \\\"it\\\"\",\"entries\":12,\"leaf\":\"cdb74ac9\",\"manifest_context\":\"3\"}");
    assertThat(whole(List.of(new ContextId(4), new ContextId(5))).payload().text())
        .isEqualTo(
            "{\"kind\":\"pi.manifest\",\"session\":\"01a2\","
                + "\"file\":\"s.jsonl\",\"cwd\":\"/src/demo\",\"title\":\"Fix"
                + " \\\"it\\\"\","
                + "\"manifest\":\"17\",\"bytes\":1234,\"hash\":\"af1349b9f5f9a1a6a0404dea36dcc9"
                + "499bcb25c9adc112b7cc9a93cae41f3262\","
                + "\"entries\":12,\"started\":\"2026-11-27T20:37:22.939Z\","
                + "\"parent_session\":\"\",\"contexts\":[\"4\",\"5\"]}");
  }

  @Test
  void whatIsWrittenIsRead() {
    for (PiAbout about :
        List.of(
            new PiAbout.Branch(SESSION, 1, "", new ContextId(3), null),
            new PiAbout.Branch(SESSION, 1, "x", new ContextId(3), new TurnId(9)),
            whole(List.of()),
            whole(List.of(new ContextId(1))).withPrevious(Blake3.hash(new byte[1])))) {
      assertThat(PiAbout.read(about.payload())).contains(about);
    }
  }

  @Test
  void fieldsOfALaterVersionArePassedOver() {
    assertThat(
            PiAbout.read(
                Payload.utf8(
                    "{\"kind\":\"pi.session\",\"new\":{\"a\":[1]},\"session\":\"s\","
                        + "\"file\":\"f\",\"cwd\":\"\",\"title\":\"\","
                        + "\"entries\":1,\"leaf\":\"l\",\"manifest_context\":\"3\","
                        + "\"more\":[[]]}")))
        .contains(
            new PiAbout.Branch(
                new PiAbout.Session("s", "f", "", ""), 1, "l", new ContextId(3), null));
  }

  @Test
  void anythingElseIsAboutSomethingElse() {
    assertThat(
            Stream.of(
                "",
                "{}",
                "[]",
                "null",
                "not json",
                "{\"kind\":\"other\"}",
                "{\"kind\":\"pi.session\"}",
                "{\"kind\":\"pi.manifest\",\"manifest\":\"-1\"}",
                "{\"kind\":\"pi.session\",\"entries\":99999999999}"))
        .allSatisfy(text -> assertThat(PiAbout.read(Payload.utf8(text))).isEmpty());
  }

  private static PiAbout.Whole whole(List<ContextId> contexts) {
    return new PiAbout.Whole(
        SESSION,
        new PiAbout.FileVersion(new TurnId(17), 1234, Blake3.hash(new byte[0])),
        12,
        "2026-11-27T20:37:22.939Z",
        "",
        contexts,
        null);
  }
}
