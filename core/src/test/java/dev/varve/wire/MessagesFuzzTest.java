// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Noise, and messages with noise in them, get a typed refusal or are messages. `-Dfuzz.runs=N` for
/// more than the usual.
class MessagesFuzzTest {

  private static final int RUNS = Integer.getInteger("fuzz.runs", 20_000);
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_128);

  @Test
  void noiseIsRefusedOrAMessage() {
    int messages = 0;
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(SEED + run);
      byte[] payload = new byte[random.nextInt(200)];
      random.nextBytes(payload);
      messages += read(new Frame(type(random), random.nextInt(4), 1, payload), SEED + run);
    }
    assertThat(messages).as("some noise is a message").isPositive();
  }

  private static int type(SplittableRandom random) {
    MessageType[] types = MessageType.values();
    return types[random.nextInt(types.length)].number();
  }

  @Test
  void messagesWithNoiseInThemAreRefusedOrMessages() {
    List<Frame> frames = new ArrayList<>();
    Messages.ALL.forEach(pair -> frames.add(Messages.frame(pair.request())));
    int messages = 0;
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(SEED + run);
      Frame frame = frames.get(random.nextInt(frames.size()));
      messages += read(spoiled(frame, random), SEED + run);
    }
    assertThat(messages).as("a message may survive some noise").isPositive();
  }

  @Test
  void answersWithNoiseInThemAreRefusedOrAnswers() {
    int answers = 0;
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(SEED + run);
      Messages.Pair pair = Messages.ALL.get(random.nextInt(Messages.ALL.size()));
      Frame whole =
          random.nextInt(10) == 0
              ? Messages.frame(Messages.ERROR, MessageType.ERROR)
              : Messages.frame(pair.response(), pair.request().type());
      Frame spoiled = spoiled(whole, random);
      try {
        Response response = Response.read(pair.request(), spoiled);
        if (response instanceof ErrorResponse error) {
          assertThat(error.toException()).isNotNull();
        }
        answers++;
      } catch (StoreException e) {
        assertThat(e).as("seed %d", SEED + run).isNotInstanceOf(StoreException.Corrupt.class);
      } catch (RuntimeException | OutOfMemoryError e) {
        throw new AssertionError("seed " + (SEED + run), e);
      }
    }
    assertThat(answers).isPositive();
  }

  /// A few bytes changed, preferably to what lengths are wrong by; sometimes cut off.
  private static Frame spoiled(Frame frame, SplittableRandom random) {
    byte[] payload = frame.payload().clone();
    for (int i = random.nextInt(4); i >= 0 && payload.length > 0; i--) {
      int at = random.nextInt(payload.length);
      payload[at] = random.nextBoolean() ? (byte) 0xff : (byte) random.nextInt();
    }
    if (random.nextInt(4) == 0) {
      payload = Arrays.copyOf(payload, random.nextInt(payload.length + 8));
    }
    return new Frame(frame.type(), frame.flags() ^ random.nextInt(2), frame.reqId(), payload);
  }

  private static int read(Frame frame, long seed) {
    try {
      Request request = Request.read(frame);
      assertThat(Request.read(Messages.frame(request))).as("seed %d", seed).isEqualTo(request);
      return 1;
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return 0;
    } catch (RuntimeException | OutOfMemoryError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
