// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PayloadExternalizerTest {

  /// The SHA-256 of `hello, varve`.
  private static final String HELLO = Sha256.of("hello, varve".getBytes(UTF_8)).hex();

  private static final String REFERENCE = "\"$blob\": \"" + HELLO + "\"";

  static JsonText json(String text) {
    return (JsonText) JsonReading.of(text.getBytes(UTF_8));
  }

  private static PayloadExternalizer.Result externalize(String text) {
    return PayloadExternalizer.externalize(json(text), PayloadSpellings.NONE);
  }

  private static void becomes(String before, String after) {
    PayloadExternalizer.Result result = externalize(before);

    assertThat(new String(result.bytes(), UTF_8)).isEqualTo(after);
    assertThat(back(result)).isEqualTo(before);
  }

  /// The text after inlining again, with what was remembered and written down.
  private static String back(PayloadExternalizer.Result result) {
    PayloadSpellings read = PayloadSpellings.read(result.spellings().bytes()).orElseThrow();
    PayloadInliner.Result back =
        PayloadInliner.inline(
            (JsonText) JsonReading.of(result.bytes()),
            read,
            (hash, _) -> Optional.ofNullable(result.contents().get(hash)).orElseThrow(),
            _ -> true);
    return new String(back.bytes(), UTF_8);
  }

  // ---- forms

  @Test
  void aFlatResponseBecomesOneTextBlockInTheStyleOfTheFile() {
    becomes(
        """
        [
          {
            "timestamp": "2026-01-01 00:00:00.0",
            "type": "tool_call_response",
            "id": "a",
            "content": "aGVsbG8sIHZhcnZl",
            "is_error": false
          }
        ]
        """,
        """
        [
          {
            "timestamp": "2026-01-01 00:00:00.0",
            "type": "tool_call_response",
            "id": "a",
            "content": [
              {
                "type": "text",
                "content": {
                  %s,
                  "size": 12
                }
              }
            ],
            "is_error": false
          }
        ]
        """
            .formatted(REFERENCE));
  }

  @Test
  void aFlatResponseOnOneLineStaysOnIt() {
    becomes(
        "[{\"type\":\"tool_call_response\",\"content\":\"hello, varve\",\"x\":1}]",
        "[{\"type\":\"tool_call_response\",\"content\":[{\"type\":\"text\",\"content\":{"
            + REFERENCE.replace(": ", ":")
            + ",\"size\":12}}],\"x\":1}]");
  }

  @Test
  void wrappedTextBecomesAReferenceAtItsPlaceAmongItsSiblings() {
    becomes(
        """
        [ {"type": "chat_request", "resources": [
        \t{ "content": { "mine": 1, "text": "hello, varve", "z": null }, "uri": "x" } ] } ]\
        """,
        """
        [ {"type": "chat_request", "resources": [
        \t{ "content": { "mine": 1, %s, "size": 12, "z": null }, "uri": "x" } ] } ]\
        """
            .formatted(REFERENCE));
  }

  @Test
  void bareTextGetsAContentObjectWithTabsAndCarriageReturns() {
    becomes(
        """
        [{"type": "chat_request", "resources": [{
        \t\t"uri": "x",
        \t\t"text": "hello, varve"
        \t}]}]
        """
            .replace("\n", "\r\n"),
        """
        [{"type": "chat_request", "resources": [{
        \t\t"uri": "x",
        \t\t"content": {
        \t\t\t%s,
        \t\t\t"size": 12
        \t\t}
        \t}]}]
        """
            .formatted(REFERENCE)
            .replace("\n", "\r\n"));
  }

  @Test
  void base64IsDecodedAndComesBackAsBase64() {
    becomes(
        """
        [{"type":"tool_call_response","content":[{"type":"resource","resource":{"uri":"x",
        "mimeType":"image/png","content":{"blob":"aGVsbG8sIHZhcnZl"}}}]}]\
        """,
        """
        [{"type":"tool_call_response","content":[{"type":"resource","resource":{"uri":"x",
        "mimeType":"image/png","content":{%s,"size":12}}}]}]\
        """
            .formatted(REFERENCE.replace(": ", ":")));
  }

  @Test
  void escapedNamesAndLettersAreTheSameAndComeBackAsTheyWereSpelled() {
    becomes(
        "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{\"\\u0074ext\":\"hello\\u002c"
            + " varve\"}}]}]",
        "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{"
            + REFERENCE.replace(": ", ":")
            + ",\"size\":12}}]}]");
  }

  @Test
  void aSizeLeftOverFromAReferenceIsCorrected() {
    becomes(
        "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{\"text\":\"hello,"
            + " varve\",\"size\":7}}]}]",
        "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{"
            + REFERENCE.replace(": ", ":")
            + ",\"size\":12}}]}]");
  }

  @Test
  void anEmptyContentIsAPayloadToo() {
    PayloadExternalizer.Result result =
        externalize("[{\"type\":\"tool_call_response\",\"content\":\"\"}]");

    assertThat(result.contents().keySet())
        .containsExactly(
            new Sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    assertThat(back(result)).contains("\"content\":\"\"");
  }

  @Test
  void theSameContentInManyFormsIsOneContent() {
    PayloadExternalizer.Result result =
        externalize(
            """
            [{"type":"tool_call_response","content":"hello, varve"},
             {"type":"tool_call_response","content":"aGVsbG8sIHZhcnZl"},
             {"type":"tool_call_response","content":[{"type":"text","text":"hello, varve"}]},
             {"type":"tool_call_response","content":{"text":"hello, varve"}},
             {"type":"chat_request","resources":[{"blob":"aGVsbG8sIHZhcnZl"}]}]\
            """);

    assertThat(result.payloads()).hasSize(5);
    assertThat(result.contents()).hasSize(1);
    assertThat(back(result)).contains("{\"text\":\"hello, varve\"}");
  }

  // ---- what is left alone

  @Test
  void aFileWithReferencesOnlyIsTheSameBytes() {
    JsonText text =
        json(
            "[{\"type\":\"tool_call_response\",\"content\":[{\"type\":\"text\",\"content\":{\"size\":12,"
                + REFERENCE
                + "}}]}]");

    PayloadExternalizer.Result result =
        PayloadExternalizer.externalize(text, PayloadSpellings.NONE);

    assertThat(result.bytes()).isSameAs(text.bytes());
    assertThat(result.references()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"chat_response\",\"message\":\"$blob\"}",
        "{\"type\":\"tool_call_request\",\"arguments\":{\"content\":\"aGk=\"}}",
        "{\"type\":\"of_the_future\",\"content\":\"aGk=\",\"resources\":[{\"text\":\"x\"}]}",
        "{\"type\":\"chat_request\",\"content\":\"plain words\"}",
        "{\"type\":\"tool_call_response\",\"content\":[{\"type\":\"question\",\"text\":\"Why?\"}]}",
        "3"
      })
  void whatIsNoPayloadIsNotTouched(String event) {
    PayloadExternalizer.Result result = externalize("[" + event + "]");

    assertThat(result.payloads()).isEmpty();
    assertThat(result.problems()).isEmpty();
  }

  @Test
  void whatIsNoPayloadAfterAllIsAProblemOfItsOwnPlaceOnly() {
    PayloadExternalizer.Result result =
        externalize(
            """
            [{"type":"chat_request","resources":[
              {"content":{"text":"a","blob":"YQ=="}},
              {"content":{}},
              {"content":{"text":1}},
              {"content":{"text":"one"},"content":{"text":"two"}},
              {"content":{"blob":"YR=="}},
              {"content":{"blob":"aGk"}},
              {"content":{"blob":"aGk=\\n"}},
              {"content":{"text":"\\ud800"}},
              {"content":{"$blob":"../../etc/passwd","size":1}},
              {"content":{"$blob":"%s","size":-1}},
              {"text":"a","content":{"text":"b"}},
              {"uri":"x"},
              {"text":"hello, varve"}]}]\
            """
                .formatted(HELLO));

    assertThat(result.payloads()).hasSize(1);
    assertThat(result.problems())
        .extracting(EventProblem::pointer)
        .containsExactlyElementsOf(
            List.of(
                "/0/resources/0/content",
                "/0/resources/1/content",
                "/0/resources/2/content",
                "/0/resources/3",
                "/0/resources/4/content",
                "/0/resources/5/content",
                "/0/resources/6/content",
                "/0/resources/7/content",
                "/0/resources/8/content",
                "/0/resources/9/content",
                "/0/resources/10",
                "/0/resources/11"));
    assertThat(result.problems().getFirst().position().toString()).isEqualTo("2:14");
  }

  @Test
  void anEditOfTheSurroundingsOutlivesARawSpelling() {
    PayloadExternalizer.Result result =
        externalize(
            "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{\"\\u0074ext\":\"x\",\"note\":1}}]}]");
    String edited = new String(result.bytes(), UTF_8).replace("\"note\":1", "\"note\":2");

    PayloadInliner.Result back =
        PayloadInliner.inline(
            json(edited), result.spellings(), (_, _) -> "x".getBytes(UTF_8), _ -> true);

    assertThat(new String(back.bytes(), UTF_8)).contains("{\"text\":\"x\",\"note\":2}");
  }

  @Test
  void anEncryptedContentStaysAReference() {
    JsonText text =
        json(
            "[{\"type\":\"chat_request\",\"resources\":[{\"content\":{\"$blob\":\""
                + HELLO
                + "\",\"size\":12,\"encryption\":{\"scheme\":\"age\"}}}]}]");

    PayloadInliner.Result result =
        PayloadInliner.inline(
            text,
            PayloadSpellings.NONE,
            (_, _) -> {
              throw new AssertionError("opened");
            },
            _ -> true);

    assertThat(result.bytes()).isSameAs(text.bytes());
    assertThat(result.problems()).hasSize(1);
  }
}
