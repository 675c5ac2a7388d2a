// SPDX-License-Identifier: Apache-2.0
/// Commands on sessions of the Pi coding agent: `pi`, `import pi`, `export pi`.
@NullMarked
package dev.varve.cli.pi;

import org.jspecify.annotations.NullMarked;
