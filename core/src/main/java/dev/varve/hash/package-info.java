// SPDX-License-Identifier: Apache-2.0
/// BLAKE3 in plain Java: the hash that names every blob, with a state that can be saved and
/// resumed.
///
/// [Blake3] is the face. Below it one file an idea: [CompressionFunction] mixes one block,
/// [WholeChunk] and [OpenChunk] hash 1024 bytes, [CvStack] keeps the finished subtrees, [WideTree]
/// hashes many chunks at once, [StateCodec] writes and reads a saved state. [Blake3Lanes] is the
/// door for a faster engine and [Blake3Acceleration] decides whether it is let in. Source: the
/// BLAKE3 paper (O'Connor, Aumasson, Neves, Wilcox-O'Hearn, 2020), sections 2.1 to 2.5; only the
/// unkeyed hash of 32 bytes is made.
@NullMarked
package dev.varve.hash;

import org.jspecify.annotations.NullMarked;
