// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.nio.file.Path;

/// Something below `blobs/` that is no blob: left alone, and told.
public record StrayFile(Path path, String what) {}
