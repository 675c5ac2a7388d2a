// SPDX-License-Identifier: Apache-2.0
/// The language in which contexts are searched: `tag = "x" AND created > "-24h"` (docs/cql.md).
///
/// [Cql] reads a text and answers a [Query] or a [CqlError] that points at the place. A query is a
/// sealed tree of conditions that were checked when it was read, and is asked of one context's
/// [Facts] at a time. Knows nothing of stores.
@NullMarked
package dev.varve.server.query;

import org.jspecify.annotations.NullMarked;
