// SPDX-License-Identifier: Apache-2.0
/// Tests against a real PostgreSQL, which [PostgresServer] starts. Those that need one have the tag
/// `database`.
@NullMarked
package dev.varve.postgresql;

import org.jspecify.annotations.NullMarked;
