// SPDX-License-Identifier: Apache-2.0
/// The commands about the histories of all agents.
@NullMarked
package dev.varve.cli.history;

import org.jspecify.annotations.NullMarked;
