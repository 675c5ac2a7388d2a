// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

/// That something in a worktree is not plain, so that git has to look ([Known]).
final class GaveUp extends Exception {

  private static final long serialVersionUID = 1;

  GaveUp(String why) {
    super(why, null, false, false);
  }
}
