// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.BlobHash;
import java.nio.file.Path;

/// What a redaction did.
///
/// @param original hash of the session that was redacted
/// @param hash of the copy
/// @param secrets how many different credentials were replaced
/// @param places in how many strings
/// @param leftOutBytes bytes that are no JSON and therefore not in the copy: torn lines
/// @param scan what the look through the copy covered; it found nothing
public record RedactionReport(
    Path copy,
    BlobHash original,
    BlobHash hash,
    long sizeBytes,
    int secrets,
    long places,
    long leftOutBytes,
    ScanReport scan) {}
