// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.Bounds;
import dev.varve.server.value.Json;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.MsgpackReader;
import dev.varve.server.value.Value;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A payload as typed JSON (docs/type-registry.md).
///
/// All that can fail has failed when [#of] returns: a page of many turns is written turn by turn,
/// and one that cannot be shown says so in its place.
public sealed interface Projection {

  /// @param decodedAs the type and version whose fields were used
  /// @param data an object, or any JSON if the payload was JSON of a type that nobody registered
  /// @param unknown an object of what no field told of; null if that was not asked for
  record Typed(DeclaredType decodedAs, Json.Answer data, Json.@Nullable Answer unknown)
      implements Projection {}

  /// @param message why there is no projection, for people
  record Failed(String message) implements Projection {}

  /// By which descriptor a payload is read.
  sealed interface Hint {

    /// By the version that the turn declares.
    enum Inherit implements Hint {
      INHERIT
    }

    /// By the greatest version of the type that the turn declares.
    enum Latest implements Hint {
      LATEST
    }

    /// By this one, whatever the turn declares.
    record Explicit(DeclaredType type) implements Hint {}

    /// Reads the parameters `type_hint_mode`, `as_type_id` and `as_type_version`.
    ///
    /// @throws StoreException.Invalid if the mode is unknown, or `explicit` without a type
    static Hint read(Map<String, String> parameters) {
      return switch (parameters.getOrDefault("type_hint_mode", "")) {
        case "", "inherit" -> Inherit.INHERIT;
        case "latest" -> Latest.LATEST;
        case "explicit" -> explicit(parameters);
        case String mode ->
            throw new StoreException.Invalid(
                "type_hint_mode", "expected inherit, latest or explicit, found '" + mode + "'");
      };
    }

    private static Hint explicit(Map<String, String> parameters) {
      String id = parameters.get("as_type_id");
      String version = parameters.get("as_type_version");
      if (id == null || version == null) {
        throw new StoreException.Invalid(
            "type_hint_mode explicit",
            (id == null ? "as_type_id" : "as_type_version") + " required");
      }
      try {
        return new Explicit(new DeclaredType(id, Integer.parseUnsignedInt(version)));
      } catch (NumberFormatException e) {
        throw new StoreException.Invalid(
            "as_type_version", "expected a number of 32 bits, found '" + version + "'");
      }
    }
  }

  /// Projects one payload.
  static Projection of(
      Payload payload,
      Encoding encoding,
      DeclaredType declared,
      Hint hint,
      Catalogue catalogue,
      RenderOptions options) {
    try {
      boolean isJson = encoding.equals(Encoding.JSON);
      Optional<Described> described = described(declared, hint, catalogue);
      if (described.isEmpty() && !(isJson && hint == Hint.Inherit.INHERIT)) {
        return new Failed(
            "type descriptor not found: "
                + (hint instanceof Hint.Explicit(DeclaredType type) ? type : declared));
      }
      if (!isJson && !encoding.equals(Encoding.MSGPACK) && !encoding.equals(Encoding.UNKNOWN)) {
        return new Failed("a payload in the encoding " + encoding + " has no typed view");
      }
      Value value =
          isJson
              ? JsonReader.read(payload, Bounds.DEFAULTS)
              : MsgpackReader.read(payload, Bounds.DEFAULTS);
      if (described.isEmpty()) {
        return new Typed(
            declared, json -> new Rendering(catalogue, options).asIs(value, json), null);
      }
      if (!(value instanceof Value.Entries map)) {
        return new Failed("payload is not a map");
      }
      return typed(described.get(), map, catalogue, options);
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return new Failed(String.valueOf(e.getMessage()));
    }
  }

  /// A descriptor and which one it is.
  record Described(DeclaredType type, TypeVersion version) {}

  private static Optional<Described> described(
      DeclaredType declared, Hint hint, Catalogue catalogue) {
    return switch (hint) {
      case Hint.Inherit _ -> exactly(declared, catalogue);
      case Hint.Explicit(DeclaredType type) -> exactly(type, catalogue);
      case Hint.Latest _ ->
          catalogue
              .latest(declared.id())
              .map(
                  latest ->
                      new Described(
                          new DeclaredType(declared.id(), latest.getKey().intValue()),
                          latest.getValue()));
    };
  }

  private static Optional<Described> exactly(DeclaredType type, Catalogue catalogue) {
    return catalogue
        .version(type.id(), Integer.toUnsignedLong(type.version()))
        .map(version -> new Described(type, version));
  }

  private static Projection typed(
      Described described, Value.Entries map, Catalogue catalogue, RenderOptions options) {
    Rendering rendering = new Rendering(catalogue, options);
    TaggedFields fields = TaggedFields.of(map, described.version());
    return new Typed(
        described.type(),
        json -> rendering.object(fields, described.version(), null, json),
        options.includeUnknown() ? json -> rendering.generic(fields.unknown(), json) : null);
  }
}
