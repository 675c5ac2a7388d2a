// SPDX-License-Identifier: Apache-2.0
/// What the service counts and times, for Prometheus and in cxdb's shape.
///
/// Both ports tell [Metrics] of each request; what the store and the process measure is asked for
/// when somebody looks. What each number means is told in `docs/operations.md`.
@NullMarked
package dev.varve.server.metrics;

import org.jspecify.annotations.NullMarked;
