// SPDX-License-Identifier: Apache-2.0
package dev.varve.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// A Unix-domain socket as a file in a folder, however long the folder's path is.
///
/// The system takes an address of about a hundred bytes only. A longer path is reached through a
/// symbolic link with a short name, in a folder that only this user can enter; the link lives for
/// the one call that needs an address. So the socket always stands in the folder where both sides
/// look for it, and a process that is killed leaves nothing elsewhere.
///
/// @param path the file; its folder exists
public record SocketFile(Path path) {

  /// The longest address that all systems with such sockets take (macOS has room for 104 bytes,
  /// Linux for 108, each with a zero behind the name).
  static final int ADDRESS_BYTES_MAX = 103;

  private static final String OWNER_ONLY = "rw-------";

  /// Use of a socket's address.
  @FunctionalInterface
  private interface AddressUse<T> {
    T apply(UnixDomainSocketAddress address) throws IOException;
  }

  public SocketFile {
    path = path.toAbsolutePath();
  }

  /// Returns whether there is a file of that name; a process that was killed leaves one too.
  public boolean exists() {
    return Files.exists(path);
  }

  /// The number of the file in the file system, by which its maker finds out later whether the file
  /// is still the maker's; null if the file is absent or the file system has no numbers.
  public @Nullable Object identity() throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /// Removes the file if it is there. Who is connected already stays connected.
  public void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  /// Listens, and lets only this user in: the file has mode 0600 where the file system has modes.
  ///
  /// @param backlog how many connections may wait to be accepted
  /// @throws java.net.BindException if the file is there
  public ServerSocketChannel listen(int backlog) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      withAddress(address -> server.bind(address, backlog));
      if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(OWNER_ONLY));
      }
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /// Connects.
  ///
  /// @throws java.net.ConnectException if no process listens there
  public SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      withAddress(channel::connect);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private <T> T withAddress(AddressUse<T> use) throws IOException {
    if (path.toString().getBytes(UTF_8).length <= ADDRESS_BYTES_MAX) {
      return use.apply(UnixDomainSocketAddress.of(path));
    }
    Path folder = Files.createTempDirectory("varve-"); // mode 0700
    Path link = folder.resolve("s");
    try {
      Files.createSymbolicLink(link, path.getParent());
      return use.apply(UnixDomainSocketAddress.of(link.resolve(path.getFileName())));
    } catch (UnsupportedOperationException e) {
      throw new IOException("too long for the address of a socket: " + path, e);
    } finally {
      Files.deleteIfExists(link);
      Files.delete(folder);
    }
  }
}
