// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

/// What a context says in a text.
public enum TextField {
  TAG,
  TITLE,
  USER,
  SERVICE,
  HOST,
  TRACE_ID
}
