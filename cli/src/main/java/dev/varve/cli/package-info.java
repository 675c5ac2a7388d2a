// SPDX-License-Identifier: Apache-2.0
/// The `varve` command: one file a subcommand, told in `docs/cli.md`.
///
/// Results go to standard output, talk to standard error. [Terminal] is the only way to either, and
/// it lets no control character of stored text through; [ExitCodes] is the one place that turns
/// refusals into numbers and [Hints] the one that gives advice. Only this room imports picocli. A
/// start is short: [Main] answers `--version` by itself, and [Commands] builds the model of just
/// the subcommand that was asked for.
@NullMarked
package dev.varve.cli;

import org.jspecify.annotations.NullMarked;
