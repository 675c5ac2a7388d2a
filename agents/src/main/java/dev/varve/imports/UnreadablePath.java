// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.nio.file.Path;

/// A path below a folder of sources that cannot be read.
///
/// @param why the reason, as a sentence for the user
public record UnreadablePath(Path file, String why) {}
