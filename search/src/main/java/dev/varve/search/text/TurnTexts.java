// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.Turn;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The texts of turns, whichever program wrote the turns.
///
/// The lines of agents and JP, opencode's rows and cxdb's `ConversationItem` are known by their
/// shape, so a turn of a program that writes alike is read too. Of any other JSON or msgpack each
/// string is a text; a payload that is UTF-8 is one text. The bookkeeping of imports has no texts.
public final class TurnTexts {

  /// The most texts of one turn.
  public static final int TEXTS_MAX = 10_000;

  private static final int ID_CHARS_MAX = 128;

  private static final String OPENCODE = "opencode.";

  private TurnTexts() {}

  /// The texts of a turn, in their order, and the ids by which the turn's program knows the turn.
  ///
  /// @param ids as written; without those of calls, which the texts have
  public record Found(List<FoundText> texts, List<String> ids) {
    public Found {
      texts = List.copyOf(texts);
      ids = List.copyOf(ids);
    }
  }

  private static final Found NOTHING = new Found(List.of(), List.of());

  /// Reads a turn. Nothing is found if the turn has no payload or an unreadable one.
  public static Found of(Turn turn) {
    Payload payload = turn.payload();
    return payload == null ? NOTHING : of(turn.type().id(), turn.encoding(), payload);
  }

  static Found of(String type, Encoding encoding, Payload payload) {
    if (type.startsWith("varve.") || type.endsWith(".manifest")) {
      return NOTHING;
    }
    List<String> ids = new ArrayList<>();
    List<FoundText> texts = new ArrayList<>();
    Optional<PayloadNode> node = PayloadParser.read(payload, encoding);
    if (node.isPresent()) {
      read(type, node.get(), texts);
      for (String name : List.of("id", "uuid", "4")) {
        String id = node.get().textOf(name);
        if (!id.isEmpty() && id.length() <= ID_CHARS_MAX) {
          ids.add(id);
        }
      }
    } else {
      findText(payload).ifPresent(text -> texts.add(FoundText.of(TextKind.TEXT, text)));
    }
    texts.removeIf(text -> text.text().isBlank());
    return new Found(texts.subList(0, Math.min(texts.size(), TEXTS_MAX)), ids);
  }

  private static void read(String type, PayloadNode node, List<FoundText> texts) {
    TextSink sink = new TextSink(texts);
    if (type.endsWith("ConversationItem")) {
      ConversationItemTexts.read(node, sink);
    } else if (type.startsWith("jp.")) {
      JpTexts.read(node, sink);
    } else if (type.startsWith(OPENCODE)) {
      OpencodeTexts.read(type.substring(OPENCODE.length()), node, sink);
    } else {
      MessageTexts.read(node, sink);
    }
  }

  private static Optional<String> findText(Payload payload) {
    try {
      ByteBuffer bytes = payload.buffer();
      bytes.limit(Math.min(bytes.limit(), 4 * FoundText.CHARS_MAX));
      boolean whole = bytes.limit() == payload.sizeBytes();
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(whole ? CodingErrorAction.REPORT : CodingErrorAction.REPLACE)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(bytes)
              .toString();
      return text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
