// SPDX-License-Identifier: Apache-2.0
/// Contexts for people: the metadata of each context, the client that writes to it, its parents and
/// children.
///
/// The metadata of a context is in its first own turn ([MetadataReader]) and in its `about` blob.
/// [ContextIndex] remembers as much as its budget of memory allows and reads the rest again; a
/// search looks at the columns of [ContextRows]; nothing is read before a client asks, so a store
/// of any size opens at once. [ContextViews] and [TurnsView] are the answers of the service, as
/// JSON. docs/cql.md explains the search and its cost.
@NullMarked
package dev.varve.server.contexts;

import org.jspecify.annotations.NullMarked;
