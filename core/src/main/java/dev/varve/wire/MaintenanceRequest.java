// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

/// Requests about a whole store, by who looks after it.
public sealed interface MaintenanceRequest extends Request {

  /// Begins to read and verify the whole store, or asks how far that has come. One check at a time
  /// on a connection.
  ///
  /// @param begin whether a check begins; an earlier one of this connection is given up
  record CheckStep(boolean begin) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.CHECK_STEP;
    }

    @Override
    public void write(FieldWriter out) {
      out.u8("begin", begin ? 1 : 0);
    }
  }

  /// Asks how far each file counts, for a copy. See `Store.backupPoint`.
  record BackupPoint() implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.BACKUP_POINT;
    }

    @Override
    public void write(FieldWriter out) {}
  }

  /// The request of `type`, which is one of these.
  static MaintenanceRequest read(MessageType type, FieldReader in) {
    return switch (type) {
      case CHECK_STEP -> new CheckStep(in.u8("begin") != 0);
      case BACKUP_POINT -> new BackupPoint();
      default -> throw new AssertionError("not about the whole store: " + type);
    };
  }
}
