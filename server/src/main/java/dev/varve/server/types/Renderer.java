// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// What shows a type in a browser. The service hands it on and never loads it.
///
/// @param esmUrl an ECMAScript module, or `builtin:Name`
/// @param component which export of the module; null for the default one
/// @param integrity a hash of the module, as browsers write it
public record Renderer(String esmUrl, @Nullable String component, @Nullable String integrity)
    implements Json.Answer {

  @Override
  public void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("esm_url", esmUrl);
    if (component != null) {
      json.writeStringProperty("component", component);
    }
    if (integrity != null) {
      json.writeStringProperty("integrity", integrity);
    }
    json.writeEndObject();
  }
}
