// SPDX-License-Identifier: Apache-2.0
/// Commands by which a store forgets: `erase`, `gc`, `retention`, and `keep` and `readmit`.
@NullMarked
package dev.varve.cli.erase;

import org.jspecify.annotations.NullMarked;
