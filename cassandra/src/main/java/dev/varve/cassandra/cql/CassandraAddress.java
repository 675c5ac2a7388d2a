// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import dev.varve.StoreException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The address of a store on a cluster: `cassandra://[USER[:PASSWORD]@]HOST[:PORT],…/KEYSPACE`, and
/// behind a `?` the data centre to ask (`dc=dc1`), the name of the store in the keyspace
/// (`store=varve`), `serial=local` where all programs are in one data centre, and `tls=on`. No
/// message repeats a part of an address that was not understood: a password may be in the part.
public final class CassandraAddress {

  private static final String WHAT = "address of a store";
  private static final int PORT = 9042;

  private static final Pattern FORM =
      Pattern.compile("cassandra://(?:([^@/?#]*)@)?([^@/?#]+)/([^/?#]+)(?:\\?([^#]*))?");

  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9_.-]+)(?::(\\d{1,5}))?");

  /// Names that need no quoting in CQL.
  private static final Pattern KEYSPACE = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  /// Names of stores and of data centres.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

  private static final Set<String> PARAMETERS = Set.of("dc", "store", "serial", "tls");

  /// A host and its port.
  public record Node(String host, int port) {}

  /// A name and a password.
  public record Login(String user, String password) {

    @Override
    public String toString() {
      return "the login of " + user;
    }
  }

  private final String place;
  private final List<Node> nodes;
  private final String keyspace;
  private final @Nullable Login login;
  private final Map<String, String> parameters;

  private CassandraAddress(
      String place,
      List<Node> nodes,
      String keyspace,
      @Nullable Login login,
      Map<String, String> parameters) {
    this.place = place;
    this.nodes = nodes;
    this.keyspace = keyspace;
    this.login = login;
    this.parameters = parameters;
  }

  /// Returns whether a text is meant as the address of a store on a cluster.
  public static boolean isAddress(String text) {
    return text.startsWith("cassandra:");
  }

  /// @throws StoreException.Invalid if the text has another form
  public static CassandraAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new StoreException.Invalid(
          WHAT, "expected cassandra://[USER@]HOST[:PORT],…/KEYSPACE[?dc=NAME], found another form");
    }
    String keyspace = form.group(3);
    if (!KEYSPACE.matcher(keyspace).matches()) {
      throw new StoreException.Invalid(
          "keyspace", "expected lower-case letters, digits and underscores, found others");
    }
    return new CassandraAddress(
        form.group(2) + "/" + keyspace,
        nodes(form.group(2)),
        keyspace,
        login(form.group(1)),
        parameters(form.group(4)));
  }

  private static List<Node> nodes(String hosts) {
    List<Node> nodes = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      Matcher parts = HOST.matcher(host);
      int port = 0;
      if (parts.matches()) {
        port = parts.group(2) == null ? PORT : Integer.parseInt(parts.group(2));
      }
      if (port < 1 || port > 65_535) {
        throw new StoreException.Invalid(
            WHAT, "expected HOST[:PORT],… before the keyspace, found another form");
      }
      nodes.add(new Node(parts.group(1), port));
    }
    return nodes;
  }

  private static @Nullable Login login(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String[] parts = text.split(":", 2);
    if (parts[0].isEmpty()) {
      throw new StoreException.Invalid(WHAT, "expected USER before '@', found none");
    }
    return new Login(decoded(parts[0]), parts.length == 2 ? decoded(parts[1]) : "");
  }

  private static Map<String, String> parameters(@Nullable String text) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : text == null || text.isEmpty() ? new String[0] : text.split("&")) {
      String[] pair = parameter.split("=", 2);
      String value = pair.length == 2 ? decoded(pair[1]) : "";
      boolean known =
          switch (pair[0]) {
            case "dc", "store" -> NAME.matcher(value).matches();
            case "serial" -> value.equals("local") || value.equals("global");
            case "tls" -> value.equals("on") || value.equals("off");
            default -> false;
          };
      if (!known || parameters.put(pair[0], value) != null) {
        String found = PARAMETERS.contains(pair[0]) ? "another '" + pair[0] + "'" : "another name";
        throw new StoreException.Invalid(
            WHAT, "expected dc=NAME, store=NAME, serial=local or tls=on, found " + found);
      }
    }
    if ("local".equals(parameters.get("serial")) && parameters.get("dc") == null) {
      throw new StoreException.Invalid(WHAT, "expected dc=NAME beside serial=local, found none");
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new StoreException.Invalid(WHAT, "a '%' that begins no character");
    }
  }

  public List<Node> nodes() {
    return nodes;
  }

  public String keyspace() {
    return keyspace;
  }

  /// The name of the store in its keyspace.
  public String store() {
    return parameters.getOrDefault("store", "varve");
  }

  /// The data centre whose nodes are asked; null for the one of the first host that answers.
  public @Nullable String dataCentre() {
    return parameters.get("dc");
  }

  /// Returns whether conditional statements are decided within one data centre.
  public boolean isSerialLocal() {
    return "local".equals(parameters.get("serial"));
  }

  /// The data centre within which conditional statements are decided; empty if all decide.
  public String serialDataCentre() {
    return isSerialLocal() ? parameters.getOrDefault("dc", "") : "";
  }

  /// All that decides about the connections.
  public record Cluster(String place, Map<String, String> parameters, @Nullable Login login) {}

  /// The cluster, as this address connects to it: without the name of the store, with the login.
  public Cluster cluster() {
    Map<String, String> others = new TreeMap<>(parameters);
    others.remove("store");
    others.remove("serial");
    return new Cluster(place, others, login);
  }

  public boolean isEncrypted() {
    return "on".equals(parameters.get("tls"));
  }

  public @Nullable Login login() {
    return login;
  }

  /// The address without user and password.
  @Override
  public String toString() {
    return "cassandra://" + place + "?store=" + store();
  }
}
