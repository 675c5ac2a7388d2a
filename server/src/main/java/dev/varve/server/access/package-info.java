// SPDX-License-Identifier: Apache-2.0
/// Access control: an [Authenticator] turns a token into a [Principal], and the principal is asked
/// before each request. Both ports use the same authenticator.
@NullMarked
package dev.varve.server.access;

import org.jspecify.annotations.NullMarked;
