// SPDX-License-Identifier: Apache-2.0

/// Searches in bytes that forgetting for good rests on: for the forms that a secret has, for the
/// names of blobs, and for records of blobs in files of any kind. This room knows no store.
@NullMarked
package dev.varve.erase;

import org.jspecify.annotations.NullMarked;
