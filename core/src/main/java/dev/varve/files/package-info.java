// SPDX-License-Identifier: Apache-2.0
/// One way to put a whole file in its place.
///
/// A file that readers must never see half written is a [WholeFile]: its new content is a
/// [FileDraft], which takes the place of the old one in one step. [WholeFile#replace] is durable,
/// [WholeFile#replaceSoon] is for what can be made again, [WholeFile#create] refuses a name that is
/// taken. Drafts of processes that died are deleted by the next process that writes in their
/// folder. [FolderTree] deletes a folder with all that is in it. The refusal of a full disk is that
/// of `dev.varve.disk`.
@NullMarked
package dev.varve.files;

import org.jspecify.annotations.NullMarked;
