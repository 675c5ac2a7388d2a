// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.JsonOutput;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.MsgpackReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A payload as typed JSON (docs/type-registry.md).
///
/// Everything that can fail has failed when [#of] returns: a page of many turns is written turn by
/// turn, and a turn without a projection carries a message in its place.
public sealed interface Projection {

  /// A payload as JSON.
  ///
  /// @param decodedAs the type and version whose fields were used
  /// @param data an object, or any JSON value if the type is not registered
  /// @param unknown an object of the values without a field; null if not requested
  record Typed(DeclaredType decodedAs, JsonOutput data, @Nullable JsonOutput unknown)
      implements Projection {}

  /// A payload without a typed form.
  ///
  /// @param message the reason, for people
  record Failed(String message) implements Projection {}

  /// The choice of a descriptor for a payload.
  sealed interface Hint {

    /// The version that the turn declares.
    enum Inherit implements Hint {
      INHERIT
    }

    /// The greatest version of the type that the turn declares.
    enum Latest implements Hint {
      LATEST
    }

    /// This version, whatever the turn declares.
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
      TypeCatalogue catalogue,
      RenderOptions options) {
    try {
      boolean isJson = encoding.equals(Encoding.JSON);
      Optional<Described> described = described(declared, hint, catalogue);
      if (described.isEmpty() && hint instanceof Hint.Explicit(DeclaredType type)) {
        return new Failed("type descriptor not found: " + type);
      }
      if (!isJson && !encoding.equals(Encoding.MSGPACK) && !encoding.equals(Encoding.UNKNOWN)) {
        return new Failed("a payload in the encoding " + encoding + " has no typed view");
      }
      if (described.isEmpty() && encoding.equals(Encoding.UNKNOWN)) {
        return new Failed("type descriptor not found: " + declared);
      }
      PayloadValue value =
          isJson
              ? JsonReader.read(payload, ValueBounds.DEFAULTS)
              : described.isEmpty()
                  ? MsgpackReader.readWhole(payload, ValueBounds.DEFAULTS)
                  : MsgpackReader.read(payload, ValueBounds.DEFAULTS);
      if (described.isEmpty()) { // an unregistered type: the payload as plain JSON
        return new Typed(
            declared, json -> new ProjectionWriter(catalogue, options).asIs(value, json), null);
      }
      if (!(value instanceof PayloadValue.Entries map)) {
        return new Failed("payload is not a map");
      }
      return typed(described.get(), map, catalogue, options);
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return new Failed(String.valueOf(e.getMessage()));
    }
  }

  /// The text of a payload that is one msgpack map, as plain JSON without descriptors; empty for
  /// any other payload.
  static Optional<String> msgpackText(Payload payload) {
    if (!MsgpackReader.isMap(payload)) {
      return Optional.empty();
    }
    TypeCatalogue none = TypeCatalogue.empty(RegistryLimits.DEFAULTS);
    DeclaredType anything = new DeclaredType("", 0);
    return of(
                payload,
                Encoding.MSGPACK,
                anything,
                Hint.Inherit.INHERIT,
                none,
                RenderOptions.DEFAULTS)
            instanceof Typed typed
        ? Optional.of(typed.data().text())
        : Optional.empty();
  }

  /// A descriptor with its type.
  record Described(DeclaredType type, TypeVersion version) {}

  private static Optional<Described> described(
      DeclaredType declared, Hint hint, TypeCatalogue catalogue) {
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

  private static Optional<Described> exactly(DeclaredType type, TypeCatalogue catalogue) {
    return catalogue
        .version(type.id(), Integer.toUnsignedLong(type.version()))
        .map(version -> new Described(type, version));
  }

  private static Projection typed(
      Described described,
      PayloadValue.Entries map,
      TypeCatalogue catalogue,
      RenderOptions options) {
    ProjectionWriter rendering = new ProjectionWriter(catalogue, options);
    TaggedFields fields = TaggedFields.of(map, described.version());
    return new Typed(
        described.type(),
        json -> rendering.object(fields, described.version(), null, json),
        options.includeUnknown() ? json -> rendering.generic(fields.unknown(), json) : null);
  }
}
