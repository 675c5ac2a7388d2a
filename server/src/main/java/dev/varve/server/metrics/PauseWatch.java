// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/// A listener to the pauses of the garbage collector, from its start until it is closed.
public final class PauseWatch implements AutoCloseable {

  /// Receives pauses, on a thread of the Java runtime.
  @FunctionalInterface
  interface Pauses {
    void paused(String collector, double seconds);
  }

  /// Collectors whose time is mostly not a pause, because they work beside the program.
  private static final String BESIDE_THE_PROGRAM = "Cycles";

  private static final double MILLIS = 1e3;

  private final List<NotificationEmitter> emitters = new ArrayList<>();
  private final List<String> collectors = new ArrayList<>();
  private final NotificationListener listener;

  private PauseWatch(Pauses pauses) {
    listener =
        (notification, _) -> {
          if (notification.getUserData() instanceof CompositeData data) {
            GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
            pauses.paused(info.getGcName(), info.getGcInfo().getDuration() / MILLIS);
          }
        };
  }

  static PauseWatch start(Pauses pauses) {
    PauseWatch watch = new PauseWatch(pauses);
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter
          && !collector.getName().endsWith(BESIDE_THE_PROGRAM)) {
        emitter.addNotificationListener(
            watch.listener,
            notification ->
                notification
                    .getType()
                    .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
            null);
        watch.emitters.add(emitter);
        watch.collectors.add(collector.getName());
      }
    }
    return watch;
  }

  /// The names of the collectors that are listened to.
  List<String> collectors() {
    return List.copyOf(collectors);
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : emitters) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }
}
