// SPDX-License-Identifier: Apache-2.0
/// The search of a service: an index that follows the store while the store is served, and answers
/// as JSON.
@NullMarked
package dev.varve.server.search;

import org.jspecify.annotations.NullMarked;
