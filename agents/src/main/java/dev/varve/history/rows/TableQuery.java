// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

/// A query for rows of a table, which is left out where a database has no such table.
public record TableQuery(String table, String sql) {}
