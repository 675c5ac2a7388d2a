// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.List;

/// Credentials that open nothing, put together so that no scanner takes this file for a leak.
public final class Samples {

  public static final String AWS = "AKIA" + "YVP4CIPPERUVIFXG";
  public static final String GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a";
  public static final String SLACK =
      "xoxb-" + "730191371696-1413868247813-IG7Z6nYevC2hdviE3aJhb5kY";
  public static final String STRIPE =
      "sk_live_"
          + "51OuEMLAlTWGaDypq4P5cuDHbuKeG4tAGPYHJpEXQ7zE8mKK3jkhTFPvCxnSSK5zB5EQZrJsYdsatNmAHGgb0vSKD00";
  public static final String GENERIC = "8f3a61c2d9e7b04451aa" + "90ff1c2b3d4e";
  public static final String PASSWORD = "x7Kq9mPz42LwT8vB";
  public static final String PRIVATE_KEY =
      "-----BEGIN RSA "
          + "PRIVATE KEY-----\n"
          + "MIIEpAIBAAKCAQEA75K0kmu1E4oI5tXQWQ0mVQ9cAAkRrv0iwIj1l0QqYk4Y0j7h\n".repeat(20)
          + "-----END RSA "
          + "PRIVATE KEY-----";

  public static final List<String> BY_SHAPE = List.of(AWS, GITHUB, SLACK, STRIPE, PRIVATE_KEY);

  private Samples() {}
}
