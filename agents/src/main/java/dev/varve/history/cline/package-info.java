// SPDX-License-Identifier: Apache-2.0
/// The profile of Cline: conversations that are one JSON document, which is written anew each time.
@NullMarked
package dev.varve.history.cline;

import org.jspecify.annotations.NullMarked;
