// SPDX-License-Identifier: Apache-2.0
/// Parts of stores in a database that do not depend on the kind of database: the form of a blob in
/// a table ([EncodedBlob]), blobs of any size on top of a table of small ones ([DatabaseBlobs]),
/// the operations of a store that all databases share ([CheckedDatabaseStore]), and the list of
/// problems of a check ([FoundProblems]).
@NullMarked
package dev.varve.database;

import org.jspecify.annotations.NullMarked;
