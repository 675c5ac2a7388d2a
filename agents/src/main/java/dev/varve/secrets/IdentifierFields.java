// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import tools.jackson.core.TokenStreamContext;

/// The fields of a file format whose values are identifiers.
///
/// Programs look records up by identifiers, so no rule is applied to them and no redaction changes
/// them, even if an identifier looks like a credential.
@FunctionalInterface
public interface IdentifierFields {

  /// A format without identifiers: the rules are applied to every string.
  IdentifierFields NONE = (_, _) -> false;

  /// True if the field `name` of `object` holds an identifier.
  boolean contains(String name, TokenStreamContext object);
}
