// SPDX-License-Identifier: Apache-2.0
/// The counters and times of the service, in the format of Prometheus and in cxdb's form.
///
/// Both ports report each request to [Metrics]; numbers of the store and the process are read at
/// each scrape. `docs/operations.md` explains each number.
@NullMarked
package dev.varve.server.metrics;

import org.jspecify.annotations.NullMarked;
