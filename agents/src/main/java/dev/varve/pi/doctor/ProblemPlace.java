// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

/// One place where something is wrong.
///
/// @param line number of the physical line, starting at 1; 0 for the file as a whole
/// @param offset where it begins in the file
/// @param sizeBytes how far it reaches
/// @param detail what is special here; may be empty
public record ProblemPlace(
    SessionProblem problem, long line, long offset, long sizeBytes, String detail) {}
