// SPDX-License-Identifier: Apache-2.0
/// Experimental profiles: of agents whose files are known from samples and descriptions only.
///
/// A profile is a small class ([SampledProfile]), and its reader another one. Agents whose formats
/// have a shape in common share the code for the shape, in the room of records.
@NullMarked
package dev.varve.history.sampled;

import org.jspecify.annotations.NullMarked;
