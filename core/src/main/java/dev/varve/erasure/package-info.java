// SPDX-License-Identifier: Apache-2.0
/// The plan of an erasure, the same for every kind of store: what goes, what stays and why.
///
/// A store shows a moment of itself as [SurveyedBlobs] and [SurveyedTurns], in which each blob and
/// each turn has an ordinal from 0 on; the [ErasurePlanner] reads them and makes an
/// [ErasureSelection]. Nothing here changes a store. Page: `docs/erase.md`.
@NullMarked
package dev.varve.erasure;

import org.jspecify.annotations.NullMarked;
