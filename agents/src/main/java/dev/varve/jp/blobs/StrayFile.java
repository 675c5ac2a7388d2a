// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.nio.file.Path;

/// Something below `blobs/` that is no blob: left alone, and reported.
public record StrayFile(Path path, String what) {}
