// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// RocksDB with a synced write-ahead log: blob, turn and head as keys of one database, an append as
/// one write batch.
final class RocksContender implements StoreContender {

  private final Options options =
      new Options()
          .setCreateIfMissing(true)
          .setCompressionType(CompressionType.ZSTD_COMPRESSION)
          .setIncreaseParallelism(2);
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final RocksDB db;
  private final AtomicLong nextTurn = new AtomicLong(1);
  private final long[] heads;

  RocksContender(Path folder, int callers) throws RocksDBException {
    db = RocksDB.open(options, folder.toString());
    heads = new long[callers];
  }

  @Override
  public void append(int caller, byte[] payload) throws RocksDBException {
    byte[] hash = Blake3.hash(payload).bytes();
    byte[] blobKey = ByteBuffer.allocate(33).put((byte) 'b').put(hash).array();
    long id = nextTurn.getAndIncrement();
    byte[] turn = ByteBuffer.allocate(80).putLong(id).putLong(heads[caller]).put(hash).array();
    try (WriteBatch batch = new WriteBatch()) {
      if (db.get(blobKey) == null) {
        batch.put(blobKey, payload);
      }
      batch.put(ByteBuffer.allocate(9).put((byte) 't').putLong(id).array(), turn);
      batch.put(
          ByteBuffer.allocate(9).put((byte) 'h').putLong(caller).array(),
          ByteBuffer.allocate(8).putLong(id).array());
      db.write(synced, batch);
    }
    heads[caller] = id;
  }

  @Override
  public long turns() {
    return nextTurn.get() - 1;
  }

  @Override
  public void close() throws IOException {
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
    synced.close();
    options.close();
  }
}
