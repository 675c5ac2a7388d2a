// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The house as it was built: every compiled class and the classes it names.
record House(List<Built> classes) {

  private static final String OURS = "dev.varve";

  /// A class type inside a descriptor or a generic signature.
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([\\w$]+(?:/[\\w$]+)+)[;<]");

  /// Libraries of which no class is named, because the JDK finds them: drivers of JDBC.
  private static final Set<String> FOUND_BY_THE_JDK = Set.of("org.sqlite");

  private static final Pattern ELEMENT = Pattern.compile("\\[*L?([^;\\[]+);?");

  /// @param name of the class, with dots
  /// @param uses the names of all classes that it names anywhere, itself left out
  record Built(String name, Set<String> uses) {

    /// Reads a class file. Descriptors and signatures are read too: a type that stands only there
    /// is in no class entry. So every text of the constant pool is looked through; that a string
    /// happens to look like a descriptor would be a strange accident.
    static Built of(byte[] bytes) {
      ClassModel model = ClassFile.of().parse(bytes);
      Set<String> uses = new TreeSet<>();
      for (PoolEntry entry : model.constantPool()) {
        switch (entry) {
          case ClassEntry type -> {
            Matcher element = ELEMENT.matcher(type.asInternalName());
            if (element.matches() && element.group(1).contains("/")) {
              uses.add(element.group(1).replace('/', '.'));
            }
          }
          case Utf8Entry text -> {
            Matcher types = IN_DESCRIPTOR.matcher(text.stringValue());
            // Types within type arguments start right behind a '<', so the next search starts
            // there.
            for (int at = 0; types.find(at); at = types.end(1)) {
              uses.add(types.group(1).replace('/', '.'));
            }
          }
          default -> {}
        }
      }
      String name = model.thisClass().asInternalName().replace('/', '.');
      uses.remove(name);
      return new Built(name, uses);
    }
  }

  /// All classes of all modules that are compiled.
  static House of(Path root) throws IOException {
    List<Built> classes = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path compiled = module.resolve("target").resolve("classes");
        if (Files.exists(module.resolve("pom.xml")) && Files.isDirectory(compiled)) {
          try (Stream<Path> files = Files.walk(compiled)) {
            files
                .filter(file -> file.toString().endsWith(".class"))
                .filter(file -> !file.endsWith("module-info.class"))
                .filter(file -> !file.getParent().endsWith("jmh_generated")) // JMH's, not ours
                .forEach(file -> classes.add(Built.of(bytes(file))));
          }
        }
      }
    }
    return new House(classes);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The room of a class of ours: what follows `dev.varve` in its package, and `varve` for that
  /// package itself.
  static String room(String className) {
    String packageName = packageOf(className);
    return packageName.equals(OURS) ? "varve" : packageName.substring(OURS.length() + 1);
  }

  private static boolean isOurs(String className) {
    return className.startsWith(OURS + ".");
  }

  private static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  Set<String> rooms() {
    Set<String> rooms = new TreeSet<>();
    classes.forEach(built -> rooms.add(room(built.name())));
    return rooms;
  }

  /// One room that uses another.
  record Arrow(String from, String to) implements Comparable<Arrow> {
    @Override
    public int compareTo(Arrow other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

  Set<Arrow> arrows() {
    Set<Arrow> arrows = new TreeSet<>();
    for (Built built : classes) {
      for (String used : built.uses()) {
        if (isOurs(used) && !room(used).equals(room(built.name()))) {
          arrows.add(new Arrow(room(built.name()), room(used)));
        }
      }
    }
    return arrows;
  }

  /// What was built otherwise than planned.
  List<String> complaints(Plan plan) {
    Set<String> complaints = new TreeSet<>();
    for (Built built : classes) {
      String room = room(built.name());
      if (!plan.arrows().containsKey(room)) {
        complaints.add("room " + room + ": not in the plan");
      }
      for (String used : built.uses()) {
        if (isOurs(used)) {
          if (!plan.allows(room, room(used))) {
            complaints.add(room + " -> " + room(used) + ": " + built.name() + " uses " + used);
          }
        } else if (!used.startsWith("java.")) {
          foreign(plan, room, built, used, complaints);
        }
      }
    }
    return List.copyOf(complaints);
  }

  /// Arrows and libraries of the plan that no class uses.
  List<String> unused(Plan plan) {
    Set<Arrow> built = arrows();
    Set<String> unused = new TreeSet<>();
    plan.arrows()
        .forEach(
            (room, targets) -> {
              for (String target : targets) {
                if (!target.equals(Plan.ANY) && !built.contains(new Arrow(room, target))) {
                  unused.add(new Arrow(room, target) + ": no class uses the arrow");
                }
              }
            });
    plan.libraries()
        .forEach(
            (library, rooms) -> {
              Set<String> users = FOUND_BY_THE_JDK.contains(library) ? rooms : users(library);
              for (String room : rooms) {
                if (room.equals(Plan.ANY) ? users.isEmpty() : !users.contains(room)) {
                  unused.add(library + " in room " + room + ": no class uses the library");
                }
              }
            });
    return List.copyOf(unused);
  }

  /// The rooms that use a library.
  private Set<String> users(String library) {
    Set<String> rooms = new TreeSet<>();
    for (Built built : classes) {
      if (built.uses().stream().anyMatch(used -> used.startsWith(library + "."))) {
        rooms.add(room(built.name()));
      }
    }
    return rooms;
  }

  private static void foreign(
      Plan plan, String room, Built built, String used, Set<String> complaints) {
    List<String> libraries = plan.library(packageOf(used));
    if (libraries.isEmpty()) {
      complaints.add(packageOf(used) + ": not in the plan; " + built.name() + " uses " + used);
    }
    for (String library : libraries) {
      Set<String> allowed = plan.libraries().getOrDefault(library, Set.of());
      if (!allowed.contains(room) && !allowed.contains(Plan.ANY)) {
        complaints.add(
            library
                + " in room "
                + room
                + ": "
                + built.name()
                + " uses "
                + used
                + ", allowed in "
                + allowed);
      }
    }
  }
}
