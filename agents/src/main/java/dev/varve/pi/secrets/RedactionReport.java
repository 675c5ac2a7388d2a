// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import dev.varve.BlobHash;
import dev.varve.secrets.ScanReport;
import java.nio.file.Path;

/// The result of a redaction.
///
/// @param original the hash of the session that was redacted
/// @param hash the hash of the copy
/// @param sizeBytes the size of the copy
/// @param secrets the number of different credentials that were replaced
/// @param places the number of strings in which a credential was replaced
/// @param leftOutBytes the bytes that are not JSON and therefore not in the copy: torn lines
/// @param scan the counts of the scan of the copy, which found nothing
public record RedactionReport(
    Path copy,
    BlobHash original,
    BlobHash hash,
    long sizeBytes,
    int secrets,
    long places,
    long leftOutBytes,
    ScanReport scan) {}
