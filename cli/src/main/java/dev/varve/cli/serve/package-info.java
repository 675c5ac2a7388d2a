// SPDX-License-Identifier: Apache-2.0
/// The commands `serve` and `token`.
@NullMarked
package dev.varve.cli.serve;

import org.jspecify.annotations.NullMarked;
