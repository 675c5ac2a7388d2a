// SPDX-License-Identifier: Apache-2.0
/// Commands on the store: `new`, `append`, `log`, `show`, `check` and the like.
@NullMarked
package dev.varve.cli.store;

import org.jspecify.annotations.NullMarked;
