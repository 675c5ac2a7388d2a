// SPDX-License-Identifier: Apache-2.0
/// Conversations of JP, and RFD 066's way of keeping their payloads beside them instead of within.
///
/// [PayloadSites] finds the payloads of an `events.json`, [PayloadExternalizer] turns their bytes
/// into references, [PayloadInliner] turns references into bytes again, [PayloadSpellings]
/// remembers how a payload had been spelled where that does not follow from its content. These are
/// functions on bytes. [CopyRewriter] does the same to files: under JP's own locks, forced, blobs
/// first, and never over what somebody wrote meanwhile.
@NullMarked
package dev.varve.jp;

import org.jspecify.annotations.NullMarked;
