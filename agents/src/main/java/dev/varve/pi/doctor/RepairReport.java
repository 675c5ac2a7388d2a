// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import java.nio.file.Path;

/// The result of a repair.
///
/// @param journal from which, with the copy, the original can be made again
/// @param entries how many the copy has
/// @param leftOutBytes bytes of the original that only the journal has
public record RepairReport(
    Path copy, Path journal, BlobHash hash, long sizeBytes, long entries, long leftOutBytes) {}
