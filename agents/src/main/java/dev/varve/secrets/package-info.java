// SPDX-License-Identifier: Apache-2.0
/// Credentials in the files of agents: found, reported without being shown, and replaced in copies.
///
/// [RuleSet] finds credentials in a text, by the rules of gitleaks
/// (docs/decisions/0034-secrets.md); [SecretScan] searches all strings of JSON documents, without
/// their escapes, and bytes of any other kind; [JsonRedaction] copies a document and replaces its
/// credentials. The room knows no agent's format: a reader of a format passes its documents and
/// declares its [IdentifierFields]. Nothing leaves this computer. Nothing in this room is shared
/// between threads.
@NullMarked
package dev.varve.secrets;

import org.jspecify.annotations.NullMarked;
