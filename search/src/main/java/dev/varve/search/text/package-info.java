// SPDX-License-Identifier: Apache-2.0
/// The texts of a turn, and the words of a text.
///
/// [TurnTexts] reads the payload of a turn, whichever program wrote the payload, and hands out what
/// a person may look for. [WordCutter] cuts a text into the words by which it is found.
///
/// Everything read here may be damaged or hostile: sizes, depths and numbers of values are bounded.
@NullMarked
package dev.varve.search.text;

import org.jspecify.annotations.NullMarked;
