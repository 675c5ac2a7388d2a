// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

/// The agent and the project that a context comes from.
///
/// @param agent as lists show it: the agent that held the conversation, otherwise the client's tag;
///   empty if none is known
/// @param project the name of the folder in which the agent worked; empty if none is known
public record ContextOrigin(String agent, String project) {

  static ContextOrigin of(ContextEntry entry) {
    AboutReader described = entry.described();
    String agent = described.agent() == null ? entry.shownTag() : described.agent();
    String project = described.project();
    return new ContextOrigin(agent == null ? "" : agent, project == null ? "" : project);
  }
}
