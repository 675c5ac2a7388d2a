// SPDX-License-Identifier: Apache-2.0
/// The files of the workbench, the web page at `/` on which people read a store. They are resources
/// of this module; the page itself is described in `docs/workbench.md`.
@NullMarked
package dev.varve.server.workbench;

import org.jspecify.annotations.NullMarked;
