// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The union of all bundles. Immutable: a further bundle makes a new catalogue, or is refused and
/// leaves nothing.
public final class TypeCatalogue {

  /// A type in all its versions.
  ///
  /// @param bundleId the last bundle that contained the type
  /// @param signatures by tag: the parts that no version may change
  private record Type(
      String bundleId,
      NavigableMap<Long, TypeVersion> versions,
      Map<Long, TypeField.Signature> signatures) {}

  /// An entry in the list of types.
  public record TypeEntry(String typeId, long latestVersion, String bundleId) {}

  private final NavigableMap<String, Type> types;
  private final Map<String, Map<String, String>> enums;
  private final Map<String, BlobHash> bundles;
  private final @Nullable String lastBundleId;
  private final RegistryLimits limits;

  private TypeCatalogue(
      NavigableMap<String, Type> types,
      Map<String, Map<String, String>> enums,
      Map<String, BlobHash> bundles,
      @Nullable String lastBundleId,
      RegistryLimits limits) {
    this.types = types;
    this.enums = enums;
    this.bundles = bundles;
    this.lastBundleId = lastBundleId;
    this.limits = limits;
  }

  static TypeCatalogue empty(RegistryLimits limits) {
    return new TypeCatalogue(new TreeMap<>(), Map.of(), Map.of(), null, limits);
  }

  // ---- reading

  /// The hash of the bytes that were last stored under a bundle's id.
  public Optional<BlobHash> bundle(String id) {
    return Optional.ofNullable(bundles.get(id));
  }

  public Optional<TypeVersion> version(String typeId, long version) {
    Type type = types.get(typeId);
    return type == null ? Optional.empty() : Optional.ofNullable(type.versions.get(version));
  }

  /// The greatest version of a type.
  public Optional<Map.Entry<Long, TypeVersion>> latest(String typeId) {
    Type type = types.get(typeId);
    return type == null ? Optional.empty() : Optional.ofNullable(type.versions.lastEntry());
  }

  /// The label of a number, if the enum has it.
  Optional<String> label(String enumId, String number) {
    return Optional.ofNullable(enums.getOrDefault(enumId, Map.of()).get(number));
  }

  /// The number of a label, in decimal, if the enum has it.
  Optional<String> number(String enumId, String label) {
    return enums.getOrDefault(enumId, Map.of()).entrySet().stream()
        .filter(entry -> entry.getValue().equals(label))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /// All types that have a version, in the order of their ids.
  public List<TypeEntry> types() {
    return types.entrySet().stream()
        .filter(entry -> !entry.getValue().versions.isEmpty())
        .map(
            entry ->
                new TypeEntry(
                    entry.getKey(), entry.getValue().versions.lastKey(), entry.getValue().bundleId))
        .toList();
  }

  public int typeCount() {
    return types.size();
  }

  public int bundleCount() {
    return bundles.size();
  }

  /// The bundle that was stored last; null while there is none.
  public @Nullable String lastBundleId() {
    return lastBundleId;
  }

  // ---- evolution

  /// This catalogue together with one more bundle.
  ///
  /// @param hash of the bundle's bytes
  /// @throws StoreException.Conflict if the bundle contradicts the catalogue: names the place, the
  ///   expected and the found value
  /// @throws StoreException.Invalid if a field names an enum that no bundle declares
  TypeCatalogue with(TypeBundle bundle, BlobHash hash) {
    Map<String, Map<String, String>> newEnums = new HashMap<>(enums);
    bundle
        .enums()
        .forEach((id, labels) -> newEnums.merge(id, labels, (old, new_) -> merged(id, old, new_)));
    NavigableMap<String, Type> newTypes = new TreeMap<>(types);
    bundle
        .types()
        .forEach((id, versions) -> newTypes.put(id, merged(bundle.id(), id, versions, newEnums)));
    Map<String, BlobHash> newBundles = new HashMap<>(bundles);
    newBundles.put(bundle.id(), hash);
    bound("types", newTypes.size(), limits.types());
    bound("enums", newEnums.size(), limits.types());
    bound("bundles", newBundles.size(), limits.bundles());
    bound("fields", fields(newTypes, newEnums), limits.fields());
    return new TypeCatalogue(newTypes, newEnums, newBundles, bundle.id(), limits);
  }

  private static void bound(String what, long found, long limit) {
    if (found > limit) {
      throw new StoreException.TooLarge(what + " of the registry", found, limit);
    }
  }

  private static long fields(Map<String, Type> types, Map<String, Map<String, String>> enums) {
    long count = enums.values().stream().mapToLong(Map::size).sum();
    for (Type type : types.values()) {
      count += type.versions.values().stream().mapToLong(v -> 1L + v.fields().size()).sum();
    }
    return count;
  }

  /// Merges an enum. It may get labels for more numbers; an existing label stays.
  private static Map<String, String> merged(
      String enumId, Map<String, String> known, Map<String, String> sent) {
    Map<String, String> labels = new HashMap<>(known);
    sent.forEach(
        (number, label) -> {
          String old = labels.putIfAbsent(number, label);
          if (old != null && !old.equals(label)) {
            throw new StoreException.Conflict(
                "enum " + enumId + " number " + number, "label '" + old + "'", "'" + label + "'");
          }
        });
    return Collections.unmodifiableMap(labels);
  }

  private Type merged(
      String bundleId,
      String typeId,
      SortedMap<Long, TypeVersion> sent,
      Map<String, Map<String, String>> enums) {
    Type known = types.getOrDefault(typeId, new Type(bundleId, new TreeMap<>(), Map.of()));
    NavigableMap<Long, TypeVersion> versions = new TreeMap<>(known.versions);
    Map<Long, TypeField.Signature> signatures = new HashMap<>(known.signatures);
    sent.forEach(
        (number, version) -> {
          String place = "type " + typeId + " version " + number;
          TypeVersion old = versions.get(number);
          if (old == null) {
            checkTags(place, version, signatures, enums);
            versions.put(number, version);
          } else {
            versions.put(number, evolved(place, old, version));
          }
        });
    return new Type(bundleId, versions, signatures);
  }

  /// Checks the tags of a version. A tag keeps its type and its enum in all versions; the name, the
  /// ref and the item type may differ in a new version.
  private static void checkTags(
      String place,
      TypeVersion version,
      Map<Long, TypeField.Signature> signatures,
      Map<String, Map<String, String>> enums) {
    version
        .fields()
        .forEach(
            (tag, field) -> {
              String at = place + " tag " + Long.toUnsignedString(tag);
              if (field.enumId() != null && !enums.containsKey(field.enumId())) {
                throw new StoreException.Invalid(at, "missing enum " + field.enumId());
              }
              TypeField.Signature known = signatures.putIfAbsent(tag, field.signature());
              if (known != null && !known.equals(field.signature())) {
                throw new StoreException.Conflict(
                    at + " (" + field.name() + ")",
                    known.toString() + ", as in other versions",
                    field.signature().toString());
              }
            });
  }

  /// Merges a version with itself as sent again. A version keeps its fields for ever. A renderer
  /// may be added once, and stays.
  private static TypeVersion evolved(String place, TypeVersion old, TypeVersion sent) {
    for (Map.Entry<Long, TypeField> field : old.fields().entrySet()) {
      TypeField found = sent.fields().get(field.getKey());
      if (!field.getValue().equals(found)) {
        throw new StoreException.Conflict(
            place + " tag " + Long.toUnsignedString(field.getKey()),
            field.getValue().text(),
            found == null ? "no such field" : found.text());
      }
    }
    for (Map.Entry<Long, TypeField> field : sent.fields().entrySet()) {
      if (!old.fields().containsKey(field.getKey())) {
        throw new StoreException.Conflict(
            place + " tag " + Long.toUnsignedString(field.getKey()),
            "no such field (a new field needs a new version)",
            field.getValue().text());
      }
    }
    if (old.renderer() == null) {
      return sent;
    }
    if (sent.renderer() != null && !sent.renderer().equals(old.renderer())) {
      throw new StoreException.Conflict(
          place + " renderer", old.renderer().text(), sent.renderer().text());
    }
    return old;
  }
}
