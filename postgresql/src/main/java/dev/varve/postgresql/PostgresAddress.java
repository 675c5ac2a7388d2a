// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.StoreException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a store in a database: `postgresql://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, and
/// behind a `?` the schema of the store (`schema=varve`) and parameters of the driver
/// (`sslmode=verify-full`). Several hosts are separated by commas. Without a password in the
/// address, the driver reads `PGPASSWORD` or `~/.pgpass`. No message repeats a part of an address
/// that was not understood: a password may be in the part.
public final class PostgresAddress {

  private static final Pattern FORM =
      Pattern.compile("postgres(?:ql)?://(?:([^@/?#]*)@)?([^@/?#]+)/([^/?#]+)(?:\\?([^#]*))?");

  private static final String HOST = "(?:\\[[0-9a-fA-F:.]+]|[A-Za-z0-9_.-]+)(?::\\d{1,5})?";

  private static final Pattern HOSTS = Pattern.compile(HOST + "(?:," + HOST + ")*");

  private static final Pattern DATABASE = Pattern.compile("[^@:;,\\s]+");

  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*=.*");

  /// Names that need no quoting in SQL.
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  private final String place;
  private final String schema;
  private final Properties properties;

  private PostgresAddress(String place, String schema, Properties properties) {
    this.place = place;
    this.schema = schema;
    this.properties = properties;
  }

  /// Returns whether a text is meant as the address of a database.
  public static boolean isAddress(String text) {
    return text.startsWith("postgresql:") || text.startsWith("postgres:");
  }

  /// @throws StoreException.Invalid if the text has another form
  public static PostgresAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()
        || !HOSTS.matcher(form.group(2)).matches()
        || !DATABASE.matcher(form.group(3)).matches()) {
      throw new StoreException.Invalid(
          "address of a store",
          "expected postgresql://[USER@]HOST[:PORT]/DATABASE[?schema=NAME], found another form");
    }
    Properties properties = new Properties();
    String schema = "varve";
    if (form.group(1) != null) {
      String[] user = form.group(1).split(":", 2);
      if (user[0].isEmpty()) {
        throw new StoreException.Invalid(
            "address of a store", "expected USER before '@', found none");
      }
      properties.setProperty("user", decoded(user[0]));
      if (user.length == 2) {
        properties.setProperty("password", decoded(user[1]));
      }
    }
    for (String parameter : form.group(4) == null ? new String[0] : form.group(4).split("&")) {
      if (!PARAMETER.matcher(parameter).matches()) {
        throw new StoreException.Invalid(
            "address of a store", "expected NAME=VALUE behind '?', found another form");
      }
      String[] pair = parameter.split("=", 2);
      if (pair[0].equals("schema")) {
        schema = decoded(pair[1]);
      } else {
        properties.setProperty(decoded(pair[0]), decoded(pair[1]));
      }
    }
    if (!SCHEMA.matcher(schema).matches()) {
      throw new StoreException.Invalid(
          "schema of a store", "expected lower-case letters, digits and underscores, found others");
    }
    return new PostgresAddress(form.group(2) + "/" + form.group(3), schema, properties);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new StoreException.Invalid("address of a store", "a '%' that begins no character");
    }
  }

  String jdbcUrl() {
    return "jdbc:postgresql://" + place;
  }

  String schema() {
    return schema;
  }

  /// The driver's parameters, a password among them.
  Properties properties() {
    Properties copy = new Properties();
    copy.putAll(properties);
    return copy;
  }

  /// The address without user, password and parameters.
  @Override
  public String toString() {
    return "postgresql://" + place + "?schema=" + schema;
  }
}
