// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.JsonOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The module that shows a type in a browser. The service passes the reference on and never loads
/// it.
///
/// @param esmUrl an ECMAScript module, or `builtin:Name`
/// @param component an export of the module; null for the default one
/// @param integrity a hash of the module, in the form that browsers use
public record TypeRenderer(String esmUrl, @Nullable String component, @Nullable String integrity)
    implements JsonOutput {

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
