// SPDX-License-Identifier: Apache-2.0
/// The binary port: frames over TCP, with the messages of cxdb's clients and Varve's own messages.
///
/// [BinaryPort] accepts connections; each [Connection] has a virtual thread that reads, and each
/// request has another one that answers, so that a slow request delays no other. [RequestOrder]
/// makes a connection's earlier writes visible to its later requests. [RequestHandler] is one
/// exhaustive switch from request to store. [BinaryLimits] bounds the cost of a peer;
/// [dev.varve.server.limits.MemoryBudget] bounds the memory and
/// [dev.varve.server.limits.TimeoutWatch] the time. The bytes belong to the room `wire`; the page
/// is `docs/protocol.md`.
///
/// Locks: a connection's [FrameSink] while one frame is written; [RequestOrder] briefly. Neither is
/// held while the store works.
@NullMarked
package dev.varve.server.binary;

import org.jspecify.annotations.NullMarked;
