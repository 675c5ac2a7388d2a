// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

/// A record and where it stands.
public record PlacedBlob(long offset, BlobRecord record) {}
