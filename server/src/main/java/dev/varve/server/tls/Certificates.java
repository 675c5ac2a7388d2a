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

/// The certificates that connections are made with: those of two files, read again when the files
/// have changed.
///
/// Connections that are open keep what they were made with; those that are made later get the new
/// ones. Files that do not hold, for instance because only one of the two has been replaced yet,
/// change nothing: the ones that were read before stay.
public final class Certificates implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Certificates.class.getPackageName());

  private final Path certificates;
  private final Path key;
  private final SSLContext context;
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicLong failures = new AtomicLong();
  private volatile TlsFiles.Loaded loaded;
  private volatile String complaint = "";

  private Certificates(Path certificates, Path key, TlsFiles.Loaded loaded) {
    this.certificates = certificates;
    this.key = key;
    this.loaded = loaded;
    this.context = new SwappedContext(() -> this.loaded.context());
  }

  /// Reads the files, and looks at them again and again until this is closed.
  ///
  /// @param period how often; a change counts at the latest after so long
  /// @throws StoreException.Invalid if a file holds something else, or they do not belong together
  public static Certificates open(Path certificates, Path key, Duration period) {
    Certificates opened = new Certificates(certificates, key, TlsFiles.load(certificates, key));
    Thread.ofVirtual().name("tls-files").start(() -> opened.look(period));
    return opened;
  }

  /// What ports make connections with. It stays the same object, whatever the files hold.
  public SSLContext context() {
    return context;
  }

  /// Until when the certificate holds that connections are made with now.
  public Instant expiry() {
    return loaded.expiry();
  }

  /// How often files were found that do not hold.
  public long failures() {
    return failures.get();
  }

  private void look(Duration period) {
    try {
      while (!over.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
        check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts it; if somebody does, it ends
    }
  }

  /// Looks now.
  ///
  /// @return whether other certificates count from now on
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
      if (!message.equals(complaint)) { // told once, counted always
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
