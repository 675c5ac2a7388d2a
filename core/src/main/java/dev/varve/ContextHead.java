// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A context and where it points (spec 001, *ContextHead*).
///
/// @param head [TurnId#NONE] while the context is empty
/// @param headDepth depth of the head; 0 while the context is empty
/// @param base the turn it was forked from, [TurnId#NONE] if from none
/// @param activeAt when it was created, last appended to, or described; contexts are listed by it
/// @param about a blob that describes the context (its title, where it came from); null if none.
///   The store does not read it
public record ContextHead(
    ContextId id,
    TurnId head,
    int headDepth,
    TurnId base,
    Instant createdAt,
    Instant activeAt,
    @Nullable BlobHash about) {}
