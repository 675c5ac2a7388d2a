// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

/// A property of a context that is a text.
public enum TextField {
  TAG,
  TITLE,
  USER,
  SERVICE,
  HOST,
  TRACE_ID
}
