// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.jp.files.FileState;
import java.nio.file.Path;

/// A blob's file, as it was found.
///
/// @param state size of the gzip file, time of its last writing or use
public record StoredBlob(Sha256 hash, Path file, FileState state) {}
