// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions as the reference's extension leaves them, with the message that its 1.8 names by
/// mistake from the second prompt on.
class SnapshotBindingsTest {

  private static final String V0 = "0".repeat(40);
  private static final String V1 = "1".repeat(40);
  private static final String V2 = "2".repeat(40);
  private static final String V3 = "3".repeat(40);

  @TempDir Path folder;
  private final List<String> lines = new ArrayList<>();
  private String last = "null";

  @BeforeEach
  void begin() {
    lines.add(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00Z\","
            + "\"cwd\":\"/src\"}");
  }

  private void entry(String id, String rest) {
    lines.add("{\"id\":\"" + id + "\",\"parentId\":" + last + "," + rest + "}");
    last = "\"" + id + "\"";
  }

  private void says(String id, String role) {
    entry(
        id,
        "\"type\":\"message\",\"message\":{\"role\":\"" + role + "\",\"content\":\"" + id + "\"}");
  }

  /// A mark of the reference's: the first binding has the first snapshot, the others the second.
  private void mark(String id, String before, String after, String user, String... others) {
    StringBuilder bindings = new StringBuilder("[\"" + user + "\",0]");
    for (String other : others) {
      bindings.append(",[\"").append(other).append("\",1]");
    }
    entry(
        id,
        "\"type\":\"custom\",\"customType\":\"rewind-turn\",\"data\":{\"v\":2,\"snapshots\":[\""
            + before
            + "\",\""
            + after
            + "\"],\"bindings\":["
            + bindings
            + "]}");
  }

  private Map<String, String> bound() throws IOException {
    Path file = Files.write(folder.resolve("s.jsonl"), lines);
    return new SnapshotBindings(SessionLog.read(file)).all();
  }

  @Test
  void d1WhatTheReferenceTiedToThePromptBeforeIsTiedToItsOwn() throws IOException {
    says("p1", "user");
    says("a1", "assistant");
    mark("m1", V0, V1, "p1", "a1");
    says("p2", "user");
    says("a2", "assistant");
    mark("m2", V1, V2, "p1", "a2");
    says("p3", "user");
    says("a3", "assistant");
    mark("m3", V2, V3, "p2", "a3");

    assertThat(bound())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("p1", V0, "a1", V1, "p2", V1, "a2", V2, "p3", V2, "a3", V3));
  }

  @Test
  void d1OfSeveralMessagesOfARunTheFirstHasTheFilesBeforeIt() throws IOException {
    says("p1", "user");
    says("a1", "assistant");
    mark("m1", V0, V1, "p1", "a1");
    says("p2", "user");
    says("a2", "assistant");
    says("steered", "user");
    says("a3", "assistant");
    mark("m2", V1, V2, "p1", "a2", "a3");

    assertThat(bound())
        .containsEntry("p2", V1)
        .containsEntry("a3", V2)
        .doesNotContainKey("steered");
  }

  @Test
  void d1AMarkThatIsRightStaysAsItIs() throws IOException {
    says("p1", "user");
    says("a1", "assistant");
    mark("m1", V0, V1, "p1", "a1");
    says("p2", "user");
    says("a2", "assistant");
    mark("m2", V1, V2, "p2", "a2");

    assertThat(bound()).containsEntry("p1", V0).containsEntry("p2", V1);
  }

  @Test
  void d1AMarkWithoutAMessageOfItsOwnBindsNoOther() throws IOException {
    says("p1", "user");
    says("a1", "assistant");
    mark("m1", V0, V1, "p1", "a1");
    says("a2", "assistant");
    mark("m2", V1, V2, "p1", "a2");

    assertThat(bound()).containsExactlyInAnyOrderEntriesOf(Map.of("p1", V0, "a1", V1, "a2", V2));
  }
}
