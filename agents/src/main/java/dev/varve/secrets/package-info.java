// SPDX-License-Identifier: Apache-2.0
/// Credentials in sessions of Pi: found, told without being shown, and taken out of a copy.
///
/// [RuleSet] finds them in a text, by the rules of gitleaks (docs/decisions/0034-secrets.md);
/// [SessionScan] looks through all strings of a session, decoded; [Redaction] writes a copy in
/// which they are replaced, and looks through that again. Nothing leaves this computer. Nothing in
/// this room is shared between threads.
@NullMarked
package dev.varve.secrets;

import org.jspecify.annotations.NullMarked;
