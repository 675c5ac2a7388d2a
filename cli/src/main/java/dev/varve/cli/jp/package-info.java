// SPDX-License-Identifier: Apache-2.0
/// Commands on workspaces of JP: `jp`.
@NullMarked
package dev.varve.cli.jp;

import org.jspecify.annotations.NullMarked;
