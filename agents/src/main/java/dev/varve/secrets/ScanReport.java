// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// What a look through a session covered.
///
/// @param strings how many were looked at
/// @param sightings how many places likely hold a credential
/// @param allowed how many more an allow-list excuses
/// @param binaryStrings long runs of base64, such as images, that were not looked into
/// @param binaryBytes how large those are
/// @param rawPieces pieces that are no JSON, or too long to be read as such: looked at as they are
public record ScanReport(
    long strings,
    long sightings,
    long allowed,
    long binaryStrings,
    long binaryBytes,
    long rawPieces) {}
