// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

/// Spreads the bits of longs: the finalizer of SplitMix64 (Steele, Lea, Flood 2014; constants:
/// Stafford's variant 13).
///
/// The function is a bijection, so that a changed input always changes the result. It is not a
/// cryptographic hash.
final class BitMixer {

  private BitMixer() {}

  static long of(long a) {
    long z = (a ^ (a >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /// Depends on the order of `a` and `b`.
  static long of(long a, long b) {
    return of(of(a) + b);
  }
}
