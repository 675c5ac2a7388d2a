// SPDX-License-Identifier: Apache-2.0
/// Tests of frames and messages: their bytes against the page, against what real clients send, and
/// against noise.
@NullMarked
package dev.varve.wire;

import org.jspecify.annotations.NullMarked;
