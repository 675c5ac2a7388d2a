// SPDX-License-Identifier: Apache-2.0
/// What is wrong with a session file of Pi, in plain words, and a repaired copy of it.
///
/// [Examination] reads a file and answers a [Diagnosis]; [Repair] writes a copy that Pi reads
/// whole, and beside it a journal (docs/format/pi-repair.md) with every byte that is not in the
/// copy, from which the original can be made again. The original is never touched. Nothing in this
/// room is shared between threads.
@NullMarked
package dev.varve.doctor;

import org.jspecify.annotations.NullMarked;
