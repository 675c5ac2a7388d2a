// SPDX-License-Identifier: Apache-2.0
/// Branches on their way from one computer to another.
///
/// A [BlobSource] gives blobs by their hashes: a folder, a bundle, a store, a server. [BranchFetch]
/// fetches a branch from one, verifies every byte, and keeps it; [SessionPlacement] writes a
/// session where Pi finds it. A [BlobTarget] takes blobs and says which it lacks; [BranchPush]
/// sends it those. [BranchBundle] is a branch in one file (docs/format/pi-bundle.md).
///
/// Bytes from a source are hostile until their hash is right, and their content stays a claim even
/// then: no name from it becomes a path unchecked, and depth, bytes and time are bounded.
@NullMarked
package dev.varve.pi.exchange;

import org.jspecify.annotations.NullMarked;
