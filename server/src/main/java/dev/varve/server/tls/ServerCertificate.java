// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.tls;

import dev.varve.StoreException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/// The certificate for new connections: a chain and a key in two files, which are read again when
/// they change.
///
/// Open connections keep the certificate they began with; later ones use the new one. Files that do
/// not fit together, for instance because only one of the two has been replaced so far, change
/// nothing: the last valid certificate stays in use.
public final class ServerCertificate implements AutoCloseable {

  private static final System.Logger LOG =
      System.getLogger(ServerCertificate.class.getPackageName());

  private final Path certificates;
  private final Path key;
  private final SSLContext context;
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicLong failures = new AtomicLong();
  private volatile TlsFiles.Loaded loaded;
  private volatile String complaint = "";

  private ServerCertificate(Path certificates, Path key, TlsFiles.Loaded loaded) {
    this.certificates = certificates;
    this.key = key;
    this.loaded = loaded;
    this.context = new ReloadableContext(() -> this.loaded.context());
  }

  /// Reads the files, and checks them for changes until this object is closed.
  ///
  /// @param period how often; a change takes effect within this time
  /// @throws StoreException.Invalid if a file holds something else, or the files do not belong
  ///   together
  public static ServerCertificate open(Path certificates, Path key, Duration period) {
    ServerCertificate opened =
        new ServerCertificate(certificates, key, TlsFiles.load(certificates, key));
    Thread.ofVirtual().name("tls-files").start(() -> opened.look(period));
    return opened;
  }

  /// The context for the ports. It stays the same object when the files change.
  public SSLContext context() {
    return context;
  }

  /// The end of the current certificate's validity.
  public Instant expiry() {
    return loaded.expiry();
  }

  /// The number of times that unusable files were found.
  public long failures() {
    return failures.get();
  }

  private void look(Duration period) {
    try {
      while (!over.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
        check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // not expected; the thread ends
    }
  }

  /// Checks the files now.
  ///
  /// @return whether a new certificate is in use
  public synchronized boolean check() {
    try {
      TlsFiles.Loaded found = TlsFiles.load(certificates, key);
      complaint = "";
      if (found.isSameAs(loaded)) {
        return false;
      }
      loaded = found;
      LOG.log(Level.INFO, "new certificates, which hold until " + found.expiry());
      return true;
    } catch (StoreException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.equals(complaint)) { // logged once, counted always
        LOG.log(Level.WARNING, "the certificates stay as they were: " + message);
        complaint = message;
      }
      failures.incrementAndGet();
      return false;
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
