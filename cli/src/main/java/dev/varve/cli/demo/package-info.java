// SPDX-License-Identifier: Apache-2.0
/// The demonstration: a small conversation with forks, written and shown.
@NullMarked
package dev.varve.cli.demo;

import org.jspecify.annotations.NullMarked;
