// SPDX-License-Identifier: Apache-2.0
/// What peers may cost, whatever they do: the time that they may keep somebody waiting, and the
/// memory that they share.
///
/// Both ports use it, each with limits of its own. The numbers stand in `docs/configuration.md`,
/// the reasons in `docs/decisions/0035-slow-peers.md`.
@NullMarked
package dev.varve.server.load;

import org.jspecify.annotations.NullMarked;
