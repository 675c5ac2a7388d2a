// SPDX-License-Identifier: Apache-2.0
/// Commands on snapshots of a worktree: `rewind`, and the engine that Pi's extension speaks to.
@NullMarked
package dev.varve.cli.rewind;

import org.jspecify.annotations.NullMarked;
