// SPDX-License-Identifier: Apache-2.0
/// Credentials in sessions of Pi: a scan of a session, and a redacted copy of a session.
///
/// [SessionScan] passes the lines of a session to the rules; [SessionRedaction] writes a copy that
/// names its original and, if the session is a fork, the copy of its parent. The rules are those of
/// the room `secrets`, which knows nothing of Pi.
@NullMarked
package dev.varve.pi.secrets;

import org.jspecify.annotations.NullMarked;
