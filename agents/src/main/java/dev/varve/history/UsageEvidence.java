// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// The usage that one response of a model reported, in tokens.
///
/// @param key identifies the response in every copy of its record: a response is counted once a
///   key, over all files of an agent
/// @param input all tokens of the request, those from a cache included
/// @param cached the tokens of the request that came from a cache
/// @param output all tokens of the answer
public record UsageEvidence(String key, long input, long cached, long output) {}
