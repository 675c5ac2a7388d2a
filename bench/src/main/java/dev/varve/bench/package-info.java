// SPDX-License-Identifier: Apache-2.0
/// What the verbs of a store cost, each beside what it is compared with.
///
/// A class a subject. A benchmark asserts its own answer before it times it; what is measured and
/// how to run it stands in bench/README.md, numbers only in bench/results/.
@NullMarked
package dev.varve.bench;

import org.jspecify.annotations.NullMarked;
