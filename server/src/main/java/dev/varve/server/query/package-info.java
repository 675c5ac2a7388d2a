// SPDX-License-Identifier: Apache-2.0
/// CQL, the language of context searches: `tag = "x" AND created > "-24h"` (docs/cql.md).
///
/// [CqlReader] reads a text and returns a [CqlQuery] or a [CqlError] with its place. A query is a
/// sealed tree of conditions that were checked when it was read; it is evaluated for one
/// [SearchableContext] at a time. This room does not depend on stores.
@NullMarked
package dev.varve.server.query;

import org.jspecify.annotations.NullMarked;
