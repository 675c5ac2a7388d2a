// SPDX-License-Identifier: Apache-2.0
/// BLAKE3 with a chunk in each lane of the processor's wide registers.
///
/// [VectorLanes] is what `core` finds through `ServiceLoader` when a long-running program asks for
/// it; it cuts the work into groups. [HashLanes] is a group's work at one width, [LaneKernel] the
/// code for it, loaded once for each width as a class of its own, so that the width is a constant
/// to the JIT. Needs `--add-modules jdk.incubator.vector`; without it `core` stays with plain Java.
@NullMarked
package dev.varve.vector;

import org.jspecify.annotations.NullMarked;
