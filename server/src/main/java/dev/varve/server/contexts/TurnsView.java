// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.server.types.Projection;
import dev.varve.server.types.RenderOptions;
import dev.varve.server.types.TypeCatalogue;
import dev.varve.server.types.TypeRegistry;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.JsonOutput;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Pages of turns, with payloads as typed JSON, as bytes, or both.
///
/// Payloads are read one by one while the page is written. A turn whose payload is unreadable, has
/// no typed form or exceeds the page's bytes carries a message in its place, and the page keeps its
/// length: clients take a short page for the last one.
public final class TurnsView {

  /// The most payload bytes in a page; the newest turns come first.
  public static final long PAGE_BYTES_MAX = 256L << 20;

  private final Store store;
  private final TypeRegistry registry;
  private final long pageBytesMax;

  /// The form in which payloads are shown.
  public enum ShownPayload {
    TYPED,
    RAW,
    BOTH
  }

  /// A request for a page of turns.
  ///
  /// @param before only turns older than this one; null for the last ones
  /// @param overlaySeqMax overlays above this number are ignored; `Long.MAX_VALUE` to ignore none
  public record PageRequest(
      ContextId context,
      int limit,
      @Nullable TurnId before,
      ShownPayload show,
      Projection.Hint hint,
      RenderOptions options,
      long overlaySeqMax) {

    IdFormat ids() {
      return options.u64() == RenderOptions.U64.NUMBER ? IdFormat.NUMBER : IdFormat.TEXT;
    }
  }

  public TurnsView(Store store, TypeRegistry registry) {
    this(store, registry, PAGE_BYTES_MAX);
  }

  TurnsView(Store store, TypeRegistry registry, long pageBytesMax) {
    this.store = store;
    this.registry = registry;
    this.pageBytesMax = pageBytesMax;
  }

  /// Turns of a context, oldest first.
  ///
  /// @throws StoreException.NotFound if the context was never created, or `before` is not on its
  ///   path
  /// @throws StoreException.TooLarge if the limit is over the store's
  public JsonOutput page(PageRequest request) {
    View view = new View(false, request.overlaySeqMax());
    TurnPage page =
        request.before() == null
            ? store.last(request.context(), request.limit(), view)
            : store.before(request.context(), request.before(), request.limit(), view);
    return answer(request, page);
  }

  /// Turns of a context from a depth on, oldest first: any page of a long conversation in O(limit +
  /// log depth).
  ///
  /// @throws StoreException.NotFound if the context was never created
  /// @throws StoreException.TooLarge if the limit is over the store's
  public JsonOutput from(PageRequest request, int startDepth) {
    View view = new View(false, request.overlaySeqMax());
    return answer(request, store.range(request.context(), startDepth, request.limit(), view));
  }

  /// One turn of a context, as a page of its own.
  ///
  /// @throws StoreException.NotFound if the turn is not on the context's path
  public JsonOutput turn(PageRequest request, TurnId id) {
    View view = new View(false, request.overlaySeqMax());
    Turn turn = store.turn(id, view);
    TurnPage page = store.range(request.context(), turn.depth(), 1, view);
    if (page.turns().isEmpty() || !page.turns().getFirst().id().equals(id)) {
      throw new StoreException.NotFound("turn in context " + request.context(), id.toString());
    }
    return answer(request, page);
  }

  private JsonOutput answer(PageRequest request, TurnPage page) {
    TypeCatalogue catalogue = registry.catalogue();
    int firstShown = firstShown(page.turns());
    return json -> {
      IdFormat ids = request.ids();
      json.writeStartObject();
      json.writeObjectPropertyStart("meta");
      ids.property(json, "context_id", request.context());
      ids.property(json, "head_turn_id", page.head().head());
      json.writeNumberProperty("head_depth", page.head().headDepth());
      json.writeStringProperty("registry_bundle_id", catalogue.lastBundleId());
      json.writeEndObject();
      json.writeArrayPropertyStart("turns");
      for (int i = 0; i < page.turns().size(); i++) {
        write(page.turns().get(i), request, catalogue, i >= firstShown, json);
      }
      json.writeEndArray();
      if (page.turns().isEmpty()) {
        json.writeNullProperty("next_before_turn_id");
      } else {
        ids.property(json, "next_before_turn_id", page.turns().getFirst().id());
      }
      json.writeEndObject();
    };
  }

  /// The first turn from which on all payloads together fit.
  private int firstShown(List<Turn> turns) {
    long left = pageBytesMax;
    int first = turns.size();
    while (first > 0 && turns.get(first - 1).payloadSizeBytes() <= left) {
      first--;
      left -= turns.get(first).payloadSizeBytes();
    }
    return first;
  }

  private void write(
      Turn turn,
      PageRequest request,
      TypeCatalogue catalogue,
      boolean isAfforded,
      JsonGenerator json) {
    IdFormat ids = request.ids();
    json.writeStartObject();
    ids.property(json, "turn_id", turn.id());
    ids.property(json, "parent_turn_id", turn.parent());
    json.writeNumberProperty("depth", turn.depth());
    json.writeNumberProperty("created_at_unix_ms", turn.createdAt().toEpochMilli());
    json.writeName("declared_type");
    type(turn.type(), json);
    if (turn.fsRoot() != null) {
      json.writeStringProperty("fs_root_hash", turn.fsRoot().toString());
    }
    Payload payload = null;
    String trouble = null;
    if (turn.tombstone()) {
      json.writeBooleanProperty("tombstone", true);
      trouble = "the turn was deleted";
    } else if (!isAfforded) {
      trouble = "left out: the page is over " + pageBytesMax + " bytes, ask for fewer turns";
    } else {
      try {
        payload = store.get(turn.payloadHash());
      } catch (StoreException.Corrupt | StoreException.NotFound | StoreException.Io e) {
        trouble = String.valueOf(e.getMessage());
      }
    }
    if (request.show() != ShownPayload.RAW) {
      typed(turn, payload, trouble, request, catalogue, json);
    }
    if (request.show() != ShownPayload.TYPED) {
      raw(turn, payload, trouble, request.options().bytes(), json);
    }
    json.writeEndObject();
  }

  private static void typed(
      Turn turn,
      @Nullable Payload payload,
      @Nullable String trouble,
      PageRequest request,
      TypeCatalogue catalogue,
      JsonGenerator json) {
    Projection projection =
        payload == null
            ? new Projection.Failed(String.valueOf(trouble))
            : Projection.of(
                payload,
                turn.encoding(),
                turn.type(),
                request.hint(),
                catalogue,
                request.options());
    switch (projection) {
      case Projection.Typed typed -> {
        json.writeName("decoded_as");
        type(typed.decodedAs(), json);
        json.writeName("data");
        typed.data().write(json);
        if (typed.unknown() != null) {
          json.writeName("unknown");
          typed.unknown().write(json);
        }
      }
      case Projection.Failed(String message) -> error("projection_error", message, json);
    }
  }

  private static void raw(
      Turn turn,
      @Nullable Payload payload,
      @Nullable String trouble,
      RenderOptions.Bytes bytes,
      JsonGenerator json) {
    json.writeStringProperty("content_hash_b3", turn.payloadHash().toString());
    json.writeNumberProperty("encoding", Integer.toUnsignedLong(turn.encoding().tag()));
    json.writeNumberProperty("compression", 0);
    json.writeNumberProperty("uncompressed_len", turn.payloadSizeBytes());
    if (payload == null) {
      error("payload_error", String.valueOf(trouble), json);
      return;
    }
    switch (bytes) {
      case BASE64 ->
          json.writeStringProperty(
              "bytes_b64", Base64.getEncoder().encodeToString(payload.unsafeArray()));
      case HEX ->
          json.writeStringProperty("bytes_hex", HexFormat.of().formatHex(payload.unsafeArray()));
      case LEN_ONLY -> json.writeNumberProperty("bytes_len", payload.sizeBytes());
    }
  }

  private static void error(String name, String message, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("message", message);
    json.writeEndObject();
  }

  private static void type(dev.varve.DeclaredType type, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("type_id", type.id());
    json.writeNumberProperty("type_version", Integer.toUnsignedLong(type.version()));
    json.writeEndObject();
  }
}
