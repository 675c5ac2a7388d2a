// SPDX-License-Identifier: Apache-2.0
/// The tests of BLAKE3. [Blake3Contract] is what every engine must pass; module `vector` extends it
/// too.
@NullMarked
package dev.varve.hash;

import org.jspecify.annotations.NullMarked;
