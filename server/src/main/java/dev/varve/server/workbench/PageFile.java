// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.workbench;

/// A file of the workbench.
///
/// @param mediaType for instance `text/javascript; charset=utf-8`
/// @param tag the entity tag, with quotes: equal for equal bytes
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PageFile(String mediaType, String tag, byte[] bytes) {}
