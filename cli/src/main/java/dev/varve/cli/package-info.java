// SPDX-License-Identifier: Apache-2.0
/// The `varve` command: the entry point, the list of subcommands, and help; described in
/// `docs/cli.md`.
///
/// A start is short: [Main] answers `--version` by itself, and [CommandModel] builds picocli's
/// model of just the subcommand that was asked for. The subcommands are in the rooms below, one
/// file each.
@NullMarked
package dev.varve.cli;

import org.jspecify.annotations.NullMarked;
