// SPDX-License-Identifier: Apache-2.0
/// The binary port: frames over TCP, as cxdb's clients speak them and with Varve's own messages
/// beside them.
///
/// [BinaryPort] accepts; each [Connection] has a virtual thread that reads, and each request one
/// more that answers, so a slow request holds nobody up. [Order] lets a request see what its own
/// connection wrote before it. [Answers] is one exhaustive switch from request to store. What a
/// peer can cost is in [BinaryLimits]; [Budget] holds the memory, [Watch] the time. The bytes are
/// the room `wire`'s; the page is `docs/protocol.md`.
///
/// Locks: a connection's [FrameSink] while one frame is written; [Order] for a look. Neither is
/// held while the store works.
@NullMarked
package dev.varve.server.binary;

import org.jspecify.annotations.NullMarked;
