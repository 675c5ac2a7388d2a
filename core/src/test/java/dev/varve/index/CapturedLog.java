// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// Keeps what the room logs, in place of printing it, until it is closed.
final class CapturedLog extends Handler {

  private final Logger logger = Logger.getLogger("dev.varve.index");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  CapturedLog() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  List<String> warnings() {
    return messages(Level.WARNING);
  }

  List<String> errors() {
    return messages(Level.SEVERE);
  }

  private List<String> messages(Level level) {
    var formatter = new SimpleFormatter();
    return records.stream()
        .filter(record -> record.getLevel().equals(level))
        .map(formatter::formatMessage)
        .toList();
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
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
