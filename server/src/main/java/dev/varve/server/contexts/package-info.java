// SPDX-License-Identifier: Apache-2.0
/// Contexts as people look for them: what each says of itself, who writes to it just now, where it
/// comes from.
///
/// What a context says stands in its first own turn ([MetadataReader]) and in its `about` blob.
/// [ContextIndex] remembers as much of it as its budget of memory allows and reads the rest again;
/// nothing is read before somebody asks, so a store of any size opens at once. [ContextViews] and
/// [TurnsView] are the answers of the service, as JSON. docs/cql.md tells what is searched and what
/// it costs.
@NullMarked
package dev.varve.server.contexts;

import org.jspecify.annotations.NullMarked;
