// SPDX-License-Identifier: Apache-2.0
/// The logs of requests: the audit log of writes, the access log of all requests, and the log of
/// slow ones.
///
/// Both ports report each answered request to a [RequestLog]. Every line of every log is made by
/// [LogLine], and every log file is a [LogFile].
@NullMarked
package dev.varve.server.logs;

import org.jspecify.annotations.NullMarked;
