// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// Keeps what the store logs, in place of printing it, until it is closed.
final class HeardLog extends Handler {

  private final Logger logger = Logger.getLogger("dev.varve");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  HeardLog() {
    logger.setLevel(Level.ALL); // else the tests' own configuration keeps everything quiet
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /// What was said of damage and loss since the last call, or since it began to listen.
  List<String> complaints() {
    SimpleFormatter formatter = new SimpleFormatter();
    List<String> heard =
        records.stream()
            .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
            .map(record -> record.getLevel() + " " + formatter.formatMessage(record))
            .toList();
    records.clear();
    return heard;
  }

  @Override
  public void publish(LogRecord logged) {
    if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
      records.add(logged);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(null);
    logger.setUseParentHandlers(true);
  }
}
