// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.client.PrivateAuthority;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/// The blobs of a server (docs/http-api.md): `GET` and `PUT /v1/blobs/{hash}`, and `POST
/// /v1/blobs/missing`. Of any web server over a [FolderBlobs] too, to get from.
///
/// Redirects are not followed: a token is for the server it was given for. Who says nothing for a
/// minute is given up.
public final class HttpBlobs implements BlobTarget {

  /// The number of hashes in one question.
  private static final int HASHES_MAX = 1_000;

  private static final int ANSWER_BYTES_MAX = 1 << 20;
  private static final int REASON_CHARS_MAX = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern HASH = Pattern.compile("\"([0-9a-f]{64})\"");

  private static final String NO_HTTP =
      "expected an answer in HTTP, found other bytes; a port with TLS is named https://…";

  private final URI base;
  private final String token;
  private final Duration patience;
  private final HttpClient client;

  /// @param base for instance `http://example.org:9010`
  /// @param token empty for none
  /// @throws StoreException.Invalid if `base` is no such address
  public HttpBlobs(String base, String token) {
    this(base, token, null);
  }

  /// @param authorities a file with the authorities that are trusted ([PrivateAuthority]); null for
  ///   those of the system
  public HttpBlobs(String base, String token, @Nullable Path authorities) {
    this(base, token, authorities, PATIENCE);
  }

  HttpBlobs(String base, String token, @Nullable Path authorities, Duration patience) {
    this.base = address(base);
    this.token = token;
    this.patience = patience;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience);
    if (authorities != null) {
      builder.sslContext(PrivateAuthority.trusting(authorities));
    }
    this.client = builder.build();
  }

  /// True if `place` is an address rather than a file or a folder.
  public static boolean isAddress(String place) {
    return place.toLowerCase(Locale.ROOT).matches("https?://.*");
  }

  private static URI address(String base) {
    try {
      URI uri = URI.create(base.endsWith("/") ? base : base + "/");
      if (isAddress(base)
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getQuery() == null
          && uri.getFragment() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw new StoreException.Invalid("address", "expected http://HOST:PORT, found '" + base + "'");
  }

  /// True if others on the way can read what is sent to this server.
  public boolean isOpenToListeners() {
    String host = base.getHost();
    boolean here = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    return base.getScheme().equalsIgnoreCase("http") && !here;
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path)).timeout(patience).header("Accept", "*/*");
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request;
  }

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) throws IOException {
    HttpRequest.Builder request = request(FolderBlobs.PATH + hash).GET();
    if (offset > 0) {
      request.header("Range", "bytes=" + offset + "-");
    }
    HttpResponse<InputStream> answer = send(request.build());
    return switch (answer.statusCode()) {
      case 200 -> Optional.of(new Rest(watched(answer), 0));
      case 206 -> Optional.of(new Rest(watched(answer), begin(answer, offset)));
      case 404 -> {
        answer.body().close();
        yield Optional.empty();
      }
      case 416 -> {
        answer.body().close();
        if (offset == 0) {
          throw new IOException("answered 416 to a request without a range");
        }
        yield open(hash, 0);
      }
      case 500 -> throw new UnreadableCopyException(refused(answer));
      default -> throw refused(answer);
    };
  }

  private InputStream watched(HttpResponse<InputStream> answer) {
    return WatchedStream.ofBlob(answer.body(), patience);
  }

  /// A server may send another range than was asked for.
  private static long begin(HttpResponse<InputStream> answer, long offset) throws IOException {
    String range = answer.headers().firstValue("Content-Range").orElse("");
    if (!range.startsWith("bytes " + offset + "-")) {
      answer.body().close();
      throw new IOException("asked for bytes from " + offset + ", was sent '" + brief(range) + "'");
    }
    return offset;
  }

  @Override
  public Set<BlobHash> missing(List<BlobHash> hashes) throws IOException {
    Set<BlobHash> missing = new LinkedHashSet<>();
    for (int from = 0; from < hashes.size(); from += HASHES_MAX) {
      List<BlobHash> some = hashes.subList(from, Math.min(hashes.size(), from + HASHES_MAX));
      String json =
          some.stream().map(h -> "\"" + h + "\"").collect(Collectors.joining(",", "[", "]"));
      HttpResponse<InputStream> answer =
          send(
              request(FolderBlobs.PATH + "missing")
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{\"hashes\":" + json + "}"))
                  .build());
      if (answer.statusCode() != 200) {
        throw refused(answer);
      }
      try (InputStream body = WatchedStream.ofAnswer(answer.body(), patience)) {
        Matcher hash = HASH.matcher(new String(body.readNBytes(ANSWER_BYTES_MAX), UTF_8));
        while (hash.find()) {
          missing.add(BlobHash.parse(hash.group(1)));
        }
      }
    }
    missing.retainAll(hashes); // a server could otherwise make us send what nobody meant to
    return missing;
  }

  @Override
  public void put(OutgoingBlob parcel) throws IOException {
    Supplier<InputStream> contents =
        () -> {
          try {
            return parcel.contents().open();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    BodyPublisher body =
        parcel.sizeBytes() == 0
            ? BodyPublishers.noBody()
            : BodyPublishers.fromPublisher(
                BodyPublishers.ofInputStream(contents), parcel.sizeBytes());
    HttpRequest.Builder request = request(FolderBlobs.PATH + parcel.hash());
    HttpResponse<InputStream> answer =
        send(
            request
                .timeout(patience.plusSeconds(parcel.sizeBytes() / (64 << 10)))
                .header("Content-Type", "application/octet-stream")
                .PUT(body)
                .build());
    if (answer.statusCode() / 100 != 2) {
      throw refused(answer);
    }
    answer.body().close();
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofInputStream());
    } catch (SSLHandshakeException e) {
      throw new IOException(untrusted(e), e);
    } catch (ConnectException e) {
      throw new IOException(unreachable(e), e);
    } catch (HttpTimeoutException e) {
      throw e;
    } catch (IOException e) {
      throw isUnreadable(e) ? new IOException(NO_HTTP, e) : e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /// The reason for a connection that could not be made. Java's own message is empty.
  private static String unreachable(ConnectException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "no address is known for this name";
      }
    }
    return "nothing answers at this address";
  }

  /// Returns whether a server without TLS answered in other words than HTTP, as a port with TLS
  /// does.
  private boolean isUnreadable(IOException e) {
    return base.getScheme().equalsIgnoreCase("http")
        && (e instanceof ProtocolException
            || String.valueOf(e.getMessage()).contains("HTTP/1.1 status line"));
  }

  /// The reason for a handshake that failed, in words of the one who runs the command.
  private String untrusted(SSLHandshakeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException) {
        return "its certificate comes from an authority that is not trusted here; --ca names one";
      }
      if (cause instanceof CertificateExpiredException) {
        return "its certificate has expired";
      }
      if (cause instanceof CertificateException && cause.getCause() == null) {
        return "its certificate is not for " + base.getHost() + ": " + cause.getMessage();
      }
    }
    return "no TLS with it: " + e.getMessage();
  }

  private IOException refused(HttpResponse<InputStream> answer) throws IOException {
    String why;
    try (InputStream body = WatchedStream.ofAnswer(answer.body(), patience)) {
      why = new String(body.readNBytes(REASON_CHARS_MAX), UTF_8).replaceAll("\\s+", " ").strip();
    }
    String status = "answered " + answer.statusCode();
    return switch (answer.statusCode()) {
      case 401, 403 -> new IOException(status + ": it wants a token, or another one");
      case 404 -> new FileNotFoundException(status + ": it takes no blobs");
      case 301, 302, 303, 307, 308 ->
          new IOException(
              status
                  + ": it sends on to "
                  + brief(answer.headers().firstValue("Location").orElse("nowhere")));
      default -> new IOException(why.isEmpty() ? status : status + ": " + why);
    };
  }

  private static String brief(String text) {
    return text.substring(0, Math.min(text.length(), REASON_CHARS_MAX));
  }

  @Override
  public String describe() {
    String text = base.toString();
    return text.substring(0, text.length() - 1);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
