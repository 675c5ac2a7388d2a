// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.StoreException;
import dev.varve.server.value.JsonOutput;
import tools.jackson.core.JsonGenerator;

/// The answers about types.
public final class RegistryViews {

  private RegistryViews() {}

  /// The body of a 201: `{"bundle_id":"…"}`.
  public static JsonOutput stored(TypeRegistry.PutResult put) {
    return json -> {
      json.writeStartObject();
      json.writeStringProperty("bundle_id", put.bundleId());
      json.writeEndObject();
    };
  }

  /// A descriptor.
  ///
  /// @param version as written in the address
  /// @throws StoreException.Invalid if the version is not a number of 32 bits
  /// @throws StoreException.NotFound if the type has no such version
  public static JsonOutput version(TypeCatalogue catalogue, String typeId, String version) {
    long number;
    try {
      number = Integer.toUnsignedLong(Integer.parseUnsignedInt(version));
    } catch (NumberFormatException e) {
      throw new StoreException.Invalid(
          "invalid version", "expected a number of 32 bits, found '" + version + "'");
    }
    return catalogue
        .version(typeId, number)
        .orElseThrow(() -> new StoreException.NotFound("type version", typeId + "@" + version));
  }

  /// `{"types":[{"type_id":…,"latest_version":…,"bundle_id":…}]}`
  public static JsonOutput types(TypeCatalogue catalogue) {
    return json -> {
      json.writeStartObject();
      json.writeArrayPropertyStart("types");
      for (TypeCatalogue.TypeEntry type : catalogue.types()) {
        json.writeStartObject();
        json.writeStringProperty("type_id", type.typeId());
        json.writeNumberProperty("latest_version", type.latestVersion());
        json.writeStringProperty("bundle_id", type.bundleId());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  /// `{"renderers":{"type id":{"esm_url":…}}}`: of the latest version of each type that has one.
  public static JsonOutput renderers(TypeCatalogue catalogue) {
    return json -> {
      json.writeStartObject();
      json.writeObjectPropertyStart("renderers");
      for (TypeCatalogue.TypeEntry type : catalogue.types()) {
        write(catalogue, type.typeId(), json);
      }
      json.writeEndObject();
      json.writeEndObject();
    };
  }

  private static void write(TypeCatalogue catalogue, String typeId, JsonGenerator json) {
    catalogue
        .latest(typeId)
        .map(latest -> latest.getValue().renderer())
        .ifPresent(
            renderer -> {
              json.writeName(typeId);
              renderer.write(json);
            });
  }
}
