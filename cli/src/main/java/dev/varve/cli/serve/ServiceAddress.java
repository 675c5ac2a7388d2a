// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The file in a store's folder that says where the service of the store answers HTTP. The file is
/// a hint for this machine's commands: it holds no secret, nothing depends on it, and a service
/// that was killed leaves it behind.
///
/// @param file `service.http`
record ServiceAddress(Path file) {

  private static final System.Logger LOG = System.getLogger(ServiceAddress.class.getName());

  private static final int BYTES_MAX = 300;

  static ServiceAddress in(Path storeFolder) {
    return new ServiceAddress(storeFolder.resolve("service.http"));
  }

  /// Writes the address, for the store's user only. A folder that takes no file is no reason not to
  /// serve.
  void write(String url) {
    try {
      WholeFile.at(file).with(FileAccess.OWNER_ONLY).replaceSoon(url + "\n");
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, "no file for the address of the service", e);
    }
  }

  /// Removes the address of this service. Another service's is left: the folder may have been
  /// moved, and a folder of another store may stand in its place.
  ///
  /// @param url as it was written
  void delete(String url) {
    try {
      if (read().filter(url::equals).isPresent()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the address of the service stays", e);
    }
  }

  /// The address; empty if the file is absent or holds anything but an address.
  Optional<String> read() {
    try (InputStream in = RegularFile.read(file)) {
      String url = new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8).strip();
      return url.matches("https?://[\\w.:\\[\\]-]+") ? Optional.of(url) : Optional.empty();
    } catch (IOException | StoreException e) {
      return Optional.empty();
    }
  }
}
