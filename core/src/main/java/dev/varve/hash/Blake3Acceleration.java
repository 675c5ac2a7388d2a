// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.time.Duration;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;

/// Lets a faster engine hash for [Blake3], once it has shown here and now that it is right and
/// faster.
///
/// Nothing happens before [#install()] is called. A program that runs for hours calls it at its
/// start; a short command does not, for the JIT needs a second or two of processor time before an
/// engine pays.
public final class Blake3Acceleration {

  /// Which engine hashes, and from what size on.
  ///
  /// @param engine the engine's name; `scalar` if there is no other
  /// @param fromBytes the smallest input that `engine` is asked for; below it everything is scalar
  /// @param reason why, in a sentence
  public record Choice(String engine, int fromBytes, String reason) {}

  private record Engine(Blake3Lanes lanes, Choice choice) {}

  private static final System.Logger LOG = System.getLogger("dev.varve.hash");

  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private static volatile Engine engine = scalar("no accelerator was asked for");

  private Blake3Acceleration() {}

  /// Looks for an engine and tries it on a background thread, the first time it is called. Returns
  /// at once; hashes are the same before, during and after.
  public static void install() {
    if (INSTALLED.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("blake3-trial").start(Blake3Acceleration::tryNow);
    }
  }

  /// Does what [#install()] does, but tries the engine only after a delay: a command that is over
  /// sooner does not pay for a trial that it could not profit from.
  public static void installAfter(Duration delay) {
    if (INSTALLED.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("blake3-trial").start(() -> tryAfter(delay));
    }
  }

  private static void tryAfter(Duration delay) {
    try {
      Thread.sleep(delay);
      Choice _ = tryNow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process ends
    }
  }

  /// Does what [#install()] does on the calling thread, and says how it went. Takes seconds.
  public static Choice tryNow() {
    INSTALLED.set(true);
    engine = found();
    LOG.log(System.Logger.Level.DEBUG, "BLAKE3: {0}", engine.choice());
    return engine.choice();
  }

  /// As [#tryNow()], with an engine at hand.
  static Choice tryNow(Blake3Lanes lanes) {
    engine = tried(lanes);
    return engine.choice();
  }

  /// Which engine hashes at this moment.
  public static Choice choice() {
    return engine.choice();
  }

  /// The engine for an input, or a part of one, of `length` bytes.
  static Blake3Lanes lanesFor(int length) {
    Engine now = engine;
    return length >= now.choice().fromBytes() ? now.lanes() : ScalarLanes.INSTANCE;
  }

  /// Lets `lanes` in from `fromBytes` on without a trial.
  static void use(Blake3Lanes lanes, int fromBytes) {
    engine = new Engine(lanes, new Choice(lanes.name(), fromBytes, "chosen by hand"));
  }

  /// The tried engine of the first provider beside this class, or plain Java: a provider may be
  /// missing, or miss the module it needs.
  private static Engine found() {
    try {
      ClassLoader beside = Blake3Acceleration.class.getClassLoader();
      Optional<Blake3Lanes> found = ServiceLoader.load(Blake3Lanes.class, beside).findFirst();
      return found
          .map(Blake3Acceleration::tried)
          .orElseGet(() -> scalar("no accelerator is there"));
    } catch (ServiceConfigurationError | LinkageError e) {
      return scalar("the accelerator does not load: " + (e.getCause() == null ? e : e.getCause()));
    }
  }

  private static Engine tried(Blake3Lanes lanes) {
    EngineTrial trial = new EngineTrial(lanes);
    if (!trial.agrees()) {
      return refused(lanes);
    }
    int fromBytes = trial.fasterFrom();
    if (!trial.agrees()) {
      return refused(lanes); // what the JIT made of it by now
    }
    if (fromBytes == EngineTrial.NEVER) {
      return scalar(lanes.name() + ": no faster than scalar here");
    }
    return new Engine(
        lanes, new Choice(lanes.name(), fromBytes, "right, and faster than scalar here"));
  }

  private static Engine refused(Blake3Lanes lanes) {
    LOG.log(
        System.Logger.Level.WARNING,
        "BLAKE3: the engine {0} gave a wrong hash in its self-check and is not used",
        lanes.name());
    return scalar(lanes.name() + ": wrong");
  }

  private static Engine scalar(String reason) {
    return new Engine(ScalarLanes.INSTANCE, new Choice(ScalarLanes.INSTANCE.name(), 0, reason));
  }
}
