// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// The counts of a scan for credentials.
///
/// @param strings the number of strings that were searched
/// @param findings the number of places that likely hold a credential
/// @param allowed the number of further places that an allow-list excuses
/// @param binaryStrings the number of long runs of base64, such as images, that were not searched
/// @param binaryBytes the size of these runs
/// @param rawPieces the number of pieces that are not JSON, or too long to be read as JSON, and
///   were searched as plain text
public record ScanReport(
    long strings,
    long findings,
    long allowed,
    long binaryStrings,
    long binaryBytes,
    long rawPieces) {}
