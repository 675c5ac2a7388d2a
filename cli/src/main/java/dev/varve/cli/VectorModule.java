// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

/// Java's module of vector operations, with which BLAKE3 is hashed faster.
///
/// Where `--add-modules` names the module, Java prints a warning on standard error at each start.
/// So the jar's manifest asks for access to the method by which Java itself adds a module of its
/// own to a process that runs, and this class calls the method. The option `--add-exports` would
/// give the same access and turn Java's AOT cache off.
final class VectorModule {

  private static final String NAME = "jdk.incubator.vector";

  private VectorModule() {}

  /// Returns whether the launcher wants the module for this command. Brief commands do without.
  static boolean isWanted() {
    return "yes".equals(System.getProperty("varve.vectors"));
  }

  /// Adds the module to this process.
  ///
  /// @return whether the module is there; not, if Java gives no access or has no such module
  static boolean load() {
    if (ModuleLayer.boot().findModule(NAME).isPresent()) {
      return true;
    }
    try {
      Class.forName("jdk.internal.module.Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, NAME);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
