// SPDX-License-Identifier: Apache-2.0

/// JSON that programs read from the command and from the services beside it.
@NullMarked
package dev.varve.json;

import org.jspecify.annotations.NullMarked;
