// SPDX-License-Identifier: Apache-2.0
/// The profile of Codex: rollouts of items, one after the other, that go on from one another.
@NullMarked
package dev.varve.history.codex;

import org.jspecify.annotations.NullMarked;
