// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The scan and the redaction know no agent's format: any document will do.
class JsonDocumentTest {

  private static final RuleSet RULES = RuleSet.builtIn();
  private static final DocumentPlace PLACE = new DocumentPlace("conversation", 7, "");

  /// A line as other agents than Pi write it: a list of objects within an object.
  private static final byte[] LINE =
      ("{\"uuid\":\"" + Samples.AWS + "\",\"parts\":[{\"text\":\"use " + Samples.GITHUB + "\"}]}")
          .getBytes(UTF_8);

  private final List<SecretFinding> findings = new ArrayList<>();

  private SecretScan scan(IdentifierFields identifiers) {
    return new SecretScan(
        RULES, AllowList.EMPTY, identifiers, (finding, _) -> findings.add(finding));
  }

  @Test
  void everyStringOfADocumentIsSearched() {
    SecretScan scan = scan(IdentifierFields.NONE);

    assertThat(scan.json(LINE, 0, LINE.length, PLACE)).isTrue();

    assertThat(findings)
        .extracting(SecretFinding::place)
        .containsExactly(
            "conversation:line 7:/uuid:aws-access-token",
            "conversation:line 7:/parts/0/text:github-pat");
    assertThat(scan.report().findings()).isEqualTo(2);
    assertThat(scan.report().strings()).as("with the names of the fields").isEqualTo(5);
  }

  @Test
  void theFormatDeclaresItsIdentifiers() {
    scan((name, _) -> name.equals("uuid")).json(LINE, 0, LINE.length, PLACE);

    assertThat(findings).extracting(SecretFinding::rule).containsExactly("github-pat");
  }

  @Test
  void bytesThatAreNotJsonAreSearchedAsText() {
    byte[] text = ("# notes\nkey " + Samples.AWS + "\n").getBytes(UTF_8);
    SecretScan scan = scan(IdentifierFields.NONE);

    assertThat(scan.json(text, 0, text.length, PLACE)).isFalse();
    scan.raw(text, 0, text.length, PLACE);

    assertThat(findings).extracting(SecretFinding::rule).containsExactly("aws-access-token");
    assertThat(scan.report().rawPieces()).isEqualTo(1);
  }

  @Test
  void aDocumentIsCopiedWithItsCredentialsReplaced() {
    KnownSecrets known = new KnownSecrets();
    JsonRedaction redaction =
        new JsonRedaction(RULES, AllowList.EMPTY, known, (name, _) -> name.equals("uuid"));

    byte[] copy =
        redaction.copy(LINE, 0, LINE.length, PLACE, JsonRedaction.Substitute.NONE).orElseThrow();

    assertThat(new String(copy, UTF_8))
        .isEqualTo(new String(LINE, UTF_8).replace(Samples.GITHUB, "[redacted github-pat 1]"));
    assertThat(redaction.places()).isEqualTo(1);
    assertThat(redaction.countKnown(LINE, 0, LINE.length)).isEqualTo(1);
    assertThat(redaction.countKnown(copy, 0, copy.length)).isZero();
  }

  @Test
  void aValueIsSubstitutedWholeAndDamageHasNoCopy() {
    JsonRedaction redaction =
        new JsonRedaction(RULES, AllowList.EMPTY, new KnownSecrets(), IdentifierFields.NONE);
    byte[] json = " {\"a\":\"x\",\"b\":[\"y\"]}".getBytes(UTF_8);

    Optional<byte[]> copy =
        redaction.copy(
            json,
            1,
            json.length,
            PLACE,
            pointer ->
                pointer.equals("/b/0") ? Optional.of("null".getBytes(UTF_8)) : Optional.empty());

    assertThat(copy)
        .hasValueSatisfying(b -> assertThat(b).asString().isEqualTo("{\"a\":\"x\",\"b\":[null]}"));
    assertThat(redaction.copy(json, 0, 9, PLACE, JsonRedaction.Substitute.NONE)).isEmpty();
  }
}
