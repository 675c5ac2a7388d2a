// SPDX-License-Identifier: Apache-2.0
/// The faults of a session file of Pi, described for people, and a repaired copy of the file.
///
/// [FileExamination] reads a file and answers a [SessionDiagnosis]; [RepairWriter] writes a copy
/// that Pi reads whole, and beside it a journal (docs/format/pi-repair.md) with every byte that is
/// not in the copy, from which the original can be made again. The original is never touched.
/// Nothing in this room is shared between threads.
@NullMarked
package dev.varve.pi.doctor;

import org.jspecify.annotations.NullMarked;
