// SPDX-License-Identifier: Apache-2.0
/// What payloads mean: bundles of type descriptors, and payloads as typed JSON.
///
/// A [Bundle] is what a writer publishes; the [Catalogue] is what all bundles together say, and the
/// rules by which they may evolve; the [TypeRegistry] keeps them as [BundleFiles] beside the store.
/// [Projection] renders a payload by its descriptor, [PayloadEncoder] goes the other way. Explained
/// in docs/type-registry.md.
@NullMarked
package dev.varve.server.types;

import org.jspecify.annotations.NullMarked;
