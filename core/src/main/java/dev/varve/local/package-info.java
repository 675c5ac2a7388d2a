// SPDX-License-Identifier: Apache-2.0
/// The store on a local disk.
@NullMarked
package dev.varve.local;

import org.jspecify.annotations.NullMarked;
