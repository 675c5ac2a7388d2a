// SPDX-License-Identifier: Apache-2.0

/// A program that embeds the store and requires nothing else.
module program {
  requires dev.varve.core;
}
