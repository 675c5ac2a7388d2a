// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Options of a [RemoteStore].
///
/// @param clientTag what this program calls itself; may be empty
/// @param token empty for a server that asks for none
/// @param tls null for a connection without TLS. The server's name is held against its certificate
/// @param connectTimeout how long one try to connect may take
/// @param requestTimeout how long an answer may take
/// @param reconnect how long a request that found no server goes on looking for one
public record RemoteOptions(
    String clientTag,
    String token,
    @Nullable SSLContext tls,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration reconnect) {

  /// No token, no TLS, 5 s to connect, 30 s for an answer, 10 s of looking for a server.
  public static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          "", "", null, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(10));

  public RemoteOptions withClientTag(String value) {
    return new RemoteOptions(value, token, tls, connectTimeout, requestTimeout, reconnect);
  }

  public RemoteOptions withToken(String value) {
    return new RemoteOptions(clientTag, value, tls, connectTimeout, requestTimeout, reconnect);
  }

  public RemoteOptions withTls(SSLContext value) {
    return new RemoteOptions(clientTag, token, value, connectTimeout, requestTimeout, reconnect);
  }

  public RemoteOptions withRequestTimeout(Duration value) {
    return new RemoteOptions(clientTag, token, tls, connectTimeout, value, reconnect);
  }

  public RemoteOptions withReconnect(Duration value) {
    return new RemoteOptions(clientTag, token, tls, connectTimeout, requestTimeout, value);
  }

  /// Without the token: this may be logged.
  @Override
  public String toString() {
    return "RemoteOptions[" + clientTag + ", " + (tls == null ? "no TLS" : "TLS") + "]";
  }
}
