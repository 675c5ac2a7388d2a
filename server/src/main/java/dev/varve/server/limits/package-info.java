// SPDX-License-Identifier: Apache-2.0
/// Limits on the cost of a peer: the time that it may keep a connection waiting, and the memory
/// that all peers share.
///
/// Both ports use this room with limits of their own. `docs/configuration.md` has the numbers,
/// `docs/decisions/0035-slow-peers.md` the reasons.
@NullMarked
package dev.varve.server.limits;

import org.jspecify.annotations.NullMarked;
