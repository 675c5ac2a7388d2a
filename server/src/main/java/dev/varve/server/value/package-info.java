// SPDX-License-Identifier: Apache-2.0
/// Decoded payloads, and JSON as the service reads and writes it.
///
/// [PayloadValue] is a decoded payload, whether it came as msgpack ([MsgpackReader]) or as JSON
/// ([JsonReader]); both read within bounds, so that hostile bytes cost no more than a refusal.
/// [MsgpackWriter] encodes a value. This is the only room of the service that uses the msgpack
/// library; all rooms that depend on it write JSON as [JsonOutput].
@NullMarked
package dev.varve.server.value;

import org.jspecify.annotations.NullMarked;
