// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MessagesTest {

  @Test
  void everyMessageHasAnExample() {
    Set<MessageType> shown = new TreeSet<>();
    Messages.ALL.forEach(pair -> shown.add(pair.request().type()));
    shown.add(MessageType.ERROR);

    assertThat(shown).containsExactly(MessageType.values());
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    for (Messages.Pair pair : Messages.ALL) {
      Request request = pair.request();
      assertThat(Request.read(Messages.frame(request))).isEqualTo(request);
      Frame answer = Messages.frame(pair.response(), request.type());
      assertThat(Response.read(request, answer)).isEqualTo(pair.response());
    }
    Frame error = Messages.frame(Messages.ERROR, MessageType.ERROR);
    assertThat(Response.read(new BasicRequest.GetHead(1), error)).isEqualTo(Messages.ERROR);
  }

  /// The payloads that cxdb's own client libraries are held to.
  @Test
  void requestsAreWhatClientsOfCxdbSend() {
    BlobHash aa = hash("aa");
    sends(new BasicRequest.Hello(1, "", "", false), "0100000000000000");
    sends(
        new BasicRequest.Hello(1, "test-client", "", false),
        "01000b00746573742d636c69656e7400000000");
    sends(new BasicRequest.CtxCreate(0), "0000000000000000");
    sends(new BasicRequest.CtxFork(123), "7b00000000000000");
    sends(new BasicRequest.GetHead(42), "2a00000000000000");
    sends(new BasicRequest.GetLast(1, 10, 0), "0100000000000000" + "0a000000" + "00000000");
    sends(new BasicRequest.GetLast(1, 5, 1), "0100000000000000" + "05000000" + "01000000");
    sends(new BasicRequest.AttachFs(0x63, aa), "6300000000000000" + "aa".repeat(32));
    sends(
        new BasicRequest.PutBlob(aa, Payload.utf8("hello blob")),
        "aa".repeat(32) + "0a000000" + "68656c6c6f20626c6f62");
    byte[] payload = {(byte) 0x91, 1};
    sends(
        new BasicRequest.AppendTurn(
            1,
            7,
            "cxdb.ConversationItem",
            3,
            1,
            0,
            2,
            aa,
            Payload.of(payload),
            Payload.utf8("idem-1"),
            hash("bb")),
        "0100000000000000"
            + "0700000000000000"
            + "15000000"
            + hex("cxdb.ConversationItem")
            + "03000000"
            + "01000000"
            + "00000000"
            + "02000000"
            + "aa".repeat(32)
            + "02000000"
            + "9101"
            + "06000000"
            + hex("idem-1")
            + "bb".repeat(32));
  }

  private static BlobHash hash(String octet) {
    return BlobHash.parse(octet.repeat(32));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void sends(BasicRequest request, String payloadHex) {
    assertThat(HexFormat.of().formatHex(Messages.frame(request).payload())).isEqualTo(payloadHex);
    assertThat(Request.read(Messages.frame(request))).isEqualTo(request);
  }

  @Test
  void aHelloMayBeEmptyOrInTheDocumentedLayout() {
    assertThat(read(MessageType.HELLO, "")).isEqualTo(new BasicRequest.Hello(0, "", "", false));
    assertThat(read(MessageType.HELLO, "01000000" + "06000000" + hex("kilroy")))
        .isEqualTo(new BasicRequest.Hello(1, "kilroy", "", true));
    assertThat(read(MessageType.HELLO, "01000000" + "02000000" + hex("{}")))
        .as("no tag, and an object for meta")
        .isEqualTo(new BasicRequest.Hello(1, "", "{}", false));
  }

  private static Request read(MessageType type, String payloadHex) {
    return Request.read(new Frame(type.number(), 0, 1, HexFormat.of().parseHex(payloadHex)));
  }

  @Test
  void whatStandsBehindABasicRequestIsIgnoredAndBehindAnotherRefused() {
    for (Messages.Pair pair : Messages.ALL) {
      Frame frame = Messages.frame(pair.request());
      Frame longer =
          new Frame(
              frame.type(),
              frame.flags(),
              1,
              Arrays.copyOf(frame.payload(), frame.payload().length + 3));
      switch (pair.request()) {
        case BasicRequest.GetBlob _ ->
            assertThatThrownBy(() -> Request.read(longer))
                .isInstanceOf(StoreException.Invalid.class);
        case BasicRequest basic -> assertThat(Request.read(longer)).isEqualTo(basic);
        case StoreRequest _, BlobRequest _, MaintenanceRequest _ ->
            assertThatThrownBy(() -> Request.read(longer))
                .isInstanceOf(StoreException.Invalid.class);
      }
    }
  }

  @Test
  void aMessageThatIsCutOffIsRefusedWhereverTheCutIs() {
    for (Messages.Pair pair : Messages.ALL) {
      Frame frame = Messages.frame(pair.request());
      for (int length = 1; length < frame.payload().length; length++) {
        Frame cut =
            new Frame(frame.type(), frame.flags(), 1, Arrays.copyOf(frame.payload(), length));
        assertThatThrownBy(() -> Request.read(cut))
            .as("%s cut to %d", pair.request().type(), length)
            .isInstanceOf(StoreException.class);
      }
    }
  }

  @Test
  void anUnknownMessageIsRefusedByTheWordsThatCxdbUses() {
    for (int type : new int[] {0, 12, 63, 127, 254, 255, 256, 65_535}) {
      assertThatThrownBy(() -> Request.read(new Frame(type, 0, 1, new byte[0])))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("unknown msg_type");
    }
  }

  @Test
  void aRefusalComesBackAsItWas() {
    List<StoreException> refusals =
        List.of(
            new StoreException.NotFound("turn", "7"),
            new StoreException.Invalid("limit", "expected 0 or more: found -1"),
            new StoreException.Conflict("head", "turn 1", "turn 2"),
            new StoreException.Erased("ab", "secret", "2026-01-05T12:00:00Z"),
            new StoreException.TooLarge("payload", 5_000_000_000L, 1000),
            new StoreException.Corrupt("turns.log", 80, "crc32 1", "crc32 2"),
            new StoreException.Full("blobs.pack", new IOException("no space")),
            new StoreException.Io("turns.log", "cannot be read", new IOException("bad sector")),
            new StoreException.Busy("memory", "other requests"));
    List<String> met = new ArrayList<>();
    for (StoreException refusal : refusals) {
      Frame frame = Messages.frame(ErrorResponse.of(refusal), MessageType.ERROR);
      ErrorResponse read = (ErrorResponse) Response.read(new BasicRequest.GetHead(1), frame);

      assertThat(read.toException())
          .hasSameClassAs(refusal)
          .hasMessage(String.valueOf(refusal.getMessage()));
      met.add(refusal.getClass().getSimpleName());
    }
    assertThat(met).doesNotHaveDuplicates();
  }

  @Test
  void anErrorOfCxdbsServerIsUnderstoodToo() {
    FieldWriter fields = new FieldWriter(0);
    fields.u32("code", 404);
    fields.text("detail", "context");
    Frame frame = new Frame(255, 0, 1, fields.payload());

    ErrorResponse error = (ErrorResponse) Response.read(new BasicRequest.GetHead(1), frame);

    assertThat(error.toException()).isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void aPageOfCxdbsServerHasNothingBehindItsTurns() {
    BasicResponse.Turns page = new BasicResponse.Turns(List.of(), 7, 8, 9);
    Frame frame = Messages.frame(page, MessageType.GET_LAST);
    Frame shorter = new Frame(6, 0, 1, Arrays.copyOf(frame.payload(), 4));

    assertThat(Response.read(new BasicRequest.GetLast(1, 1, 1), shorter))
        .isEqualTo(new BasicResponse.Turns(List.of(), 0, 0, 0));
  }
}
