// SPDX-License-Identifier: Apache-2.0
/// The watch over the agents' folders: archives sessions while agents write them.
///
/// [FolderNotices] takes the notifications of the file system and adds the home concerned to the
/// [PendingLooks]. [HistoryWatch] looks at these homes, and from time to time at all: it lists the
/// sessions, asks the [SessionMemory] which of them changed, and imports these as `varve sync`
/// does. A notification is never more than a hint; what is archived is decided by the files.
///
/// One thread looks and imports; one thread takes notifications, and shares only [PendingLooks] and
/// [FolderNotices] with the first.
@NullMarked
package dev.varve.history.watch;

import org.jspecify.annotations.NullMarked;
