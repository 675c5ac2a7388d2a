// SPDX-License-Identifier: Apache-2.0
/// What is in a payload, and JSON as the service writes it.
///
/// [Value] is a payload taken apart, whether it came as msgpack ([MsgpackReader]) or JSON
/// ([JsonReader]); both read within bounds, so that hostile bytes cost a refusal and nothing more.
/// [MsgpackWriter] goes the other way. The only room of the service that knows the msgpack library;
/// [Json] is how all rooms behind it write JSON.
@NullMarked
package dev.varve.server.value;

import org.jspecify.annotations.NullMarked;
