// SPDX-License-Identifier: Apache-2.0

/// Readings of the whole store, on demand and in the background: the space by agent, project and
/// kind, what a garbage collection would free, and the last check.
@NullMarked
package dev.varve.server.surveys;

import org.jspecify.annotations.NullMarked;
