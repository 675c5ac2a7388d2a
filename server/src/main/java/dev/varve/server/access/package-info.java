// SPDX-License-Identifier: Apache-2.0
/// Who may do what: an [Authenticator] makes a [Principal] of a token, and the principal is asked
/// before each request. Both ports ask the same one.
@NullMarked
package dev.varve.server.access;

import org.jspecify.annotations.NullMarked;
