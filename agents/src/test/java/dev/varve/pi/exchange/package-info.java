// SPDX-License-Identifier: Apache-2.0
/// Tests of branches on their way, from and to servers that are slow, wrong, or hostile.
@NullMarked
package dev.varve.pi.exchange;

import org.jspecify.annotations.NullMarked;
