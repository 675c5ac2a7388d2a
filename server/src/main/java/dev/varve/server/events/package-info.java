// SPDX-License-Identifier: Apache-2.0
/// What happens to a store that is served, told to whoever wants to hear of it: the ports publish,
/// the HTTP port's event stream and the list of live sessions listen.
///
/// An event tells numbers and names, never payloads: who wants more asks the store. It is published
/// once what it tells of is as durable as the store promises, on the thread that did it, before the
/// client is answered; so a listener must be quick, must not throw, and must not wait for anybody.
@NullMarked
package dev.varve.server.events;

import org.jspecify.annotations.NullMarked;
