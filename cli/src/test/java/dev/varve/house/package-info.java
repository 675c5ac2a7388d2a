// SPDX-License-Identifier: Apache-2.0
/// Whether the house is what `docs/ARCHITECTURE.md` says, and tidy.
///
/// These tests stand in the last module that others see nothing of, and look at all of them:
/// [HouseTest] at the compiled classes, [TidyTest] at the files that git knows.
@NullMarked
package dev.varve.house;

import org.jspecify.annotations.NullMarked;
