// SPDX-License-Identifier: Apache-2.0
/// Benchmarks: the cost of each verb of a store, beside the cost of something comparable.
///
/// A class a subject. A benchmark asserts its own answer before it times it; what is measured and
/// how to run it stands in bench/README.md, numbers only in bench/results/.
@NullMarked
package dev.varve.bench;

import org.jspecify.annotations.NullMarked;
