// SPDX-License-Identifier: Apache-2.0
/// Tests of branches: hashes of sessions that grow, sidecars, lines of parents, the index.
@NullMarked
package dev.varve.pi.branch;

import org.jspecify.annotations.NullMarked;
