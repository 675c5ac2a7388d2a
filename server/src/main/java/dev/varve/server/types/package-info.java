// SPDX-License-Identifier: Apache-2.0
/// The meaning of payloads: bundles of type descriptors, and payloads as typed JSON.
///
/// A writer publishes a [TypeBundle]; the [TypeCatalogue] is the union of all bundles and holds the
/// rules of their evolution; the [TypeRegistry] stores them as [TypeBundleFiles] beside the store.
/// [Projection] shows a payload by its descriptor, and [PayloadEncoder] converts JSON back into a
/// payload. Explained in docs/type-registry.md.
@NullMarked
package dev.varve.server.types;

import org.jspecify.annotations.NullMarked;
