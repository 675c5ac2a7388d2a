// SPDX-License-Identifier: Apache-2.0
/// Tests of the binary port: over loopback, against stores in temporary folders.
@NullMarked
package dev.varve.server.binary;

import org.jspecify.annotations.NullMarked;
