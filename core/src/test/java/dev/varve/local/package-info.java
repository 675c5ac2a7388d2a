// SPDX-License-Identifier: Apache-2.0
/// Tests of the store on a local disk: the contract, the power cuts, the accidents.
@NullMarked
package dev.varve.local;

import org.jspecify.annotations.NullMarked;
