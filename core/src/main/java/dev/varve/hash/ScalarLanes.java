// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// One chunk after the other: right everywhere, and what every other engine is measured against.
final class ScalarLanes implements Blake3Lanes {

  static final ScalarLanes INSTANCE = new ScalarLanes();

  private ScalarLanes() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void chunks(byte[] bytes, int at, int length, long counter, byte[] cvs, int out) {
    int chunk = 0;
    for (int done = 0; done < length; done += WholeChunk.SIZE) {
      int size = Math.min(WholeChunk.SIZE, length - done);
      int cvAt = out + chunk * CompressionFunction.CV;
      WholeChunk.hash(bytes, at + done, size, counter + chunk, 0, cvs, cvAt);
      chunk++;
    }
  }

  @Override
  public void parents(byte[] cvs, int at, int pairs) {
    for (int pair = 0; pair < pairs; pair++) {
      CompressionFunction.parent(
          cvs, at + pair * CompressionFunction.BLOCK, 0, cvs, at + pair * CompressionFunction.CV);
    }
  }
}
