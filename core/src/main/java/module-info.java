// SPDX-License-Identifier: Apache-2.0

/// The embeddable store.
///
/// A modular program requires this module and nothing else: the native zstd library comes along, in
/// an image of `jlink` too. A program opens a store with `StoreAccess`, which goes through a
/// service where one has the store, or directly with `LocalStore` or `RemoteStore`. The packages
/// that are not exported keep the files of the store. On the class path this descriptor has no
/// effect.
module dev.varve.core {
  requires com.github.luben.zstd_jni;
  requires jdk.unsupported; // writes past the system's cache
  requires static org.jspecify; // only its annotations, and only to compile the store itself

  exports dev.varve;
  exports dev.varve.access;
  exports dev.varve.client;
  exports dev.varve.copy;
  exports dev.varve.disk;
  exports dev.varve.files;
  exports dev.varve.hash;
  exports dev.varve.local;
  exports dev.varve.socket;
  exports dev.varve.tree;

  uses dev.varve.access.StoreDriver;
  uses dev.varve.hash.Blake3Lanes;
}
