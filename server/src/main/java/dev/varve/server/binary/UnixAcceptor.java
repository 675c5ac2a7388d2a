// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.socket.PeerStream;
import dev.varve.socket.SocketFile;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A Unix-domain socket in the store's folder: the way in for programs of the user to whom the
/// store belongs.
///
/// The file system lets nobody else open the socket. Where the system names a peer's user
/// (SO_PEERCRED), only the socket's owner and the superuser are answered, so that nobody slips in
/// between the making of the file and the setting of its mode. Who is in may do anything that the
/// store can be asked, without a token.
final class UnixAcceptor implements Acceptor {

  private static final int BACKLOG = 128;
  private static final String SUPERUSER = "root";

  private final SocketFile file;
  private final ServerSocketChannel server;
  private final UserPrincipal owner;
  private final @Nullable Object identity;

  private UnixAcceptor(SocketFile file, ServerSocketChannel server) throws IOException {
    this.file = file;
    this.server = server;
    this.owner = Files.getOwner(file.path());
    this.identity = file.identity();
  }

  /// Listens in place of a process that left its file behind.
  ///
  /// @param file in the folder of a store that this process has open
  /// @throws StoreException.Io if the system has no such sockets, or the folder cannot be written
  static UnixAcceptor open(SocketFile file) {
    try {
      file.delete(); // nobody else can listen there: the store is ours
      ServerSocketChannel server = file.listen(BACKLOG);
      return new UnixAcceptor(file, server);
    } catch (IOException | UnsupportedOperationException e) {
      throw new StoreException.Io(
          file.path().toString(), "cannot listen: " + e.getMessage(), asIo(e));
    }
  }

  private static IOException asIo(Exception e) {
    return e instanceof IOException io ? io : new IOException(e);
  }

  @Override
  public AcceptedPeer accept() throws IOException {
    SocketChannel channel = server.accept();
    return new UnixPeer(channel, PeerStream.of(channel), owner, user(channel));
  }

  /// The peer's user; null where the system does not name it.
  private static @Nullable UserPrincipal user(SocketChannel channel) throws IOException {
    return channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)
        ? channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user()
        : null;
  }

  /// Removes the file too, unless another socket took its place: the store's folder may have been
  /// moved. The store is closed after it, so that whoever finds the store free finds no file.
  @Override
  public void close() throws IOException {
    try (server) {
      if (Objects.equals(identity, file.identity())) {
        file.delete();
      }
    }
  }

  /// A peer on this machine.
  ///
  /// @param user null where the system does not name it
  private record UnixPeer(
      SocketChannel channel, PeerStream plain, UserPrincipal owner, @Nullable UserPrincipal user)
      implements AcceptedPeer {

    @Override
    public PeerStream secured() throws IOException {
      if (user != null && !user.equals(owner) && !user.getName().equals(SUPERUSER)) {
        throw new IOException("the store belongs to " + owner.getName());
      }
      return plain;
    }

    @Override
    public String address() {
      return user == null ? "this machine" : "user " + user.getName();
    }

    @Override
    public Authenticator authenticator() {
      Principal who = Principal.anything(user == null ? owner.getName() : user.getName());
      return token -> Optional.of(who);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
