// SPDX-License-Identifier: Apache-2.0
/// A kit for importers: everything about an import that does not depend on the agent's format.
///
/// An importer reads one format and does the following with the kit:
///
/// 1. It is a [SourceImport]: one method that imports one source. [FileImports] calls it for a file
///    or for all files below a folder ([SourceFolder]), and turns a refusal of one source into a
///    report.
/// 2. [SourceFormat] names the format of a file from its first record. An importer refuses a file
///    of another format before it writes anything.
/// 3. It makes a *key* from what identifies the source and asks [ManifestContext] for the source's
///    context. The context's `about`, written with [AboutWriter] and read with [AboutFields], names
///    the newest manifest. If that manifest describes the same bytes, nothing is new.
/// 4. It hands each record that becomes a turn to a [TurnPlacement], which finds the turn in the
///    store or appends it, and counts. [LeafContexts] gives each leaf of the turns' tree a context.
/// 5. It keeps the source's bytes: as turns and the bytes between them (Pi's manifest), or as one
///    blob for each file.
/// 6. It adds the manifest, settles the contexts, and describes the manifest's context last. Only
///    then does the import count; an import that ended earlier is completed by the next one.
/// 7. It reports with [ImportReport]: [RecordCounts] accounts for each record once, [ProblemList]
///    counts problems and keeps the first ones, and an [ImportListener] follows the progress.
///
/// Nothing in this room is shared between threads.
@NullMarked
package dev.varve.imports;

import org.jspecify.annotations.NullMarked;
