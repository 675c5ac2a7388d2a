// SPDX-License-Identifier: Apache-2.0
/// `varve search` (docs/search.md).
@NullMarked
package dev.varve.cli.search;

import org.jspecify.annotations.NullMarked;
