// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import java.io.IOException;

/// Reports that a server has a blob and cannot read its own copy.
final class UnreadableCopyException extends IOException {

  private static final long serialVersionUID = 1L;

  UnreadableCopyException(IOException refusal) {
    super(refusal.getMessage(), refusal);
  }
}
