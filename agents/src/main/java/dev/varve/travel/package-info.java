// SPDX-License-Identifier: Apache-2.0
/// Branches on their way from one computer to another.
///
/// A [BlobSource] gives blobs by their hashes: a folder, a bundle, a store, a server. [Get] fetches
/// a branch from one, verifies every byte, and keeps it; [Placing] writes a session where Pi finds
/// it. A [BlobTarget] takes blobs and says which it lacks; [Push] sends it those. [Bundle] is a
/// branch in one file (docs/format/pi-bundle.md).
///
/// What comes from a source is hostile until its hash is right, and what it says stays a claim even
/// then: no name from it becomes a path unchecked, and depth, bytes and time are bounded.
@NullMarked
package dev.varve.travel;

import org.jspecify.annotations.NullMarked;
