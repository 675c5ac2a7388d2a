// SPDX-License-Identifier: Apache-2.0
/// Events of a served store. The ports publish them; the event streams of the HTTP port and the
/// list of live sessions receive them.
///
/// An event carries numbers and names and never payloads: a listener that needs more asks the
/// store. An event is published once its change is as durable as the store promises, on the thread
/// that made the change, before the client is answered; a listener must therefore be fast, must not
/// throw, and must not wait.
@NullMarked
package dev.varve.server.events;

import org.jspecify.annotations.NullMarked;
