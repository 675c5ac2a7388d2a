// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

/// A restore that broke off before its end. Its journal knows it until somebody finishes it or
/// rolls it back.
///
/// @param kind `restore`, `undo` or `redo`
/// @param from the snapshot of the files before the restore
/// @param to the snapshot that the restore leads to
/// @param paths how many paths the restore was to change
public record UnfinishedRestore(String kind, String from, String to, int paths) {}
