// SPDX-License-Identifier: Apache-2.0
/// The language in which people and programs search (docs/search.md).
///
/// [SearchParser] makes a [SearchQuery] of a text. The room knows neither a store nor an index.
@NullMarked
package dev.varve.search.query;

import org.jspecify.annotations.NullMarked;
