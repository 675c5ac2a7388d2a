// SPDX-License-Identifier: Apache-2.0
/// The session of one call of `varve`: the terminal, the store's folder, refusals and exit
/// statuses.
///
/// Commands get a [CommandSession]. [ExitCodes] is the one place that turns refusals into numbers,
/// [ErrorHints] the one place that gives advice.
@NullMarked
package dev.varve.cli.session;

import org.jspecify.annotations.NullMarked;
