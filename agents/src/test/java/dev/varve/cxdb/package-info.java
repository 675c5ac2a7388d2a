// SPDX-License-Identifier: Apache-2.0
/// Directories of a cxdb server, written here byte by byte, and what damage does to them.
@NullMarked
package dev.varve.cxdb;

import org.jspecify.annotations.NullMarked;
