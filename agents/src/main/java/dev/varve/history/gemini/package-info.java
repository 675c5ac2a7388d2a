// SPDX-License-Identifier: Apache-2.0
/// The profile of Gemini CLI: logs of edits that are replayed.
@NullMarked
package dev.varve.history.gemini;

import org.jspecify.annotations.NullMarked;
