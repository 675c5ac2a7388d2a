// SPDX-License-Identifier: Apache-2.0
/// A `Store` that is somewhere else: [RemoteStore] asks a server of Varve over its binary port.
///
/// [ClientConnection] is one connection, on which many requests are under way at once;
/// [ServerCalls] opens the next one when it is lost, and repeats what may be repeated. The bytes
/// are the room `wire`'s.
@NullMarked
package dev.varve.client;

import org.jspecify.annotations.NullMarked;
