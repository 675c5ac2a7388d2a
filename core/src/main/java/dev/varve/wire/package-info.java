// SPDX-License-Identifier: Apache-2.0
/// The protocol on a socket: frames, messages as records, and their bytes in both directions.
///
/// A [Frame] is a header and a payload. [Request] and [Response] are the messages: `Basic…` are
/// those that cxdb's clients speak, byte for byte; `Store…` and `Blob…` are this project's own,
/// with which a `Store` can be used from afar as if it were here. [FieldWriter] writes and
/// [FieldReader] reads; both name each field, so that a refusal says which one is wrong and a test
/// can hold `docs/protocol.md` to the code.
///
/// Nothing here touches a socket or a store. Every length that is read is held against the bytes
/// that are there before memory is taken for it. Numbers are little-endian.
@NullMarked
package dev.varve.wire;

import org.jspecify.annotations.NullMarked;
