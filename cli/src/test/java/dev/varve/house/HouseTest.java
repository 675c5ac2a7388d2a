// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import static java.lang.constant.ConstantDescs.CD_void;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.Signature;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HouseTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));

  private static final Plan SMALL =
      Plan.read(
          """
          A page.
          ```rooms
          varve ->
          hash  -> varve
          blob  -> varve hash
          all   -> *
          ```
          ```java
          other -> nothing
          ```
          ```libraries
          com.zip -> blob
          org.nul -> *
          ```
          """);

  private static Plan plan() throws IOException {
    return Plan.read(Files.readString(ROOT.resolve("docs/ARCHITECTURE.md")));
  }

  @Test
  void thePlanHasNoCirclesAndNoDeadArrows() throws IOException {
    assertThat(plan().complaints()).isEmpty();
  }

  @Test
  void theHouseIsBuiltAsPlanned() throws IOException {
    House house = House.of(ROOT);

    assertThat(house.rooms()).as("something was looked at").contains("varve", "disk", "bench");
    assertThat(house.complaints(plan())).isEmpty();
  }

  @Test
  void everyArrowAndEveryLibraryOfThePlanIsUsed() throws IOException {
    assertThat(House.of(ROOT).unused(plan())).isEmpty();
  }

  @Test
  void anArrowAndALibraryThatNoClassUsesAreNoticed() {
    House house =
        house(
            "dev.varve.blob.Pack",
            type ->
                type.withField("f", ClassDesc.of("dev.varve.hash.H"), 0)
                    .withField("g", ClassDesc.of("org.nul.Nullable"), 0));

    assertThat(house.unused(SMALL))
        .containsExactly(
            "blob -> varve: no class uses the arrow",
            "com.zip in room blob: no class uses the library",
            "hash -> varve: no class uses the arrow");
  }

  @Test
  void takingAnyArrowAwayIsNoticed() throws IOException {
    House house = House.of(ROOT);
    Plan plan = plan();

    assertThat(house.arrows()).hasSizeGreaterThan(5);
    for (House.Arrow arrow : house.arrows()) {
      assertThat(house.complaints(plan.without(arrow.from(), arrow.to())))
          .as("without %s", arrow)
          .isNotEmpty()
          .allMatch(complaint -> complaint.startsWith(arrow + ": "));
    }
  }

  @Test
  void classesOfARoomGoInNoCircle() throws IOException {
    assertThat(ClassCircles.complaints(House.of(ROOT).classes())).isEmpty();
  }

  @Test
  void aCircleOfClassesIsNoticed() {
    assertThat(circle("rewind.git", "A", "B")).containsExactly("rewind.git: A B");
    assertThat(circle("rewind", "A$Inner", "B$1")).containsExactly("rewind: A B");
    assertThat(circle("cli.store", "A", "B", "C")).isEmpty();
    assertThat(circle("cli.store", "A", "B", "C", "D")).containsExactly("cli.store: A B C D");
    assertThat(circle("disk", "Disk", "LocalDisk")).isEmpty();
    assertThat(circle("disk", "Disk", "LocalDisk", "X")).containsExactly("disk: Disk LocalDisk X");
    assertThat(circle("rewind", "A", "A$Inner")).as("one class at the top").isEmpty();
  }

  /// The complaints about classes of which each uses the next, and the last uses the first.
  private static List<String> circle(String room, String... names) {
    List<House.Built> classes = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      String used = "dev.varve." + room + "." + names[(i + 1) % names.length];
      classes.add(new House.Built("dev.varve." + room + "." + names[i], Set.of(used)));
    }
    return ClassCircles.complaints(classes);
  }

  /// Where in a class file another class may be named.
  enum Named {
    FIELD(c -> c.withField("f", ClassDesc.of("dev.varve.blob.Pack"), 0)),
    ARRAY(c -> c.withField("f", ClassDesc.of("dev.varve.blob.Pack").arrayType(2), 0)),
    PARAMETER(c -> abstractMethod(c, MethodTypeDesc.of(CD_void, pack()), m -> {})),
    RESULT(c -> abstractMethod(c, MethodTypeDesc.of(pack()), m -> {})),
    SUPERCLASS(c -> c.withSuperclass(pack())),
    INTERFACE(c -> c.withInterfaceSymbols(pack())),
    EXCEPTION(
        c ->
            abstractMethod(
                c, MethodTypeDesc.of(CD_void), m -> m.with(ExceptionsAttribute.ofSymbols(pack())))),
    SIGNATURE(
        c ->
            c.withField(
                "f",
                ClassDesc.of("java.util.Map"),
                f ->
                    f.with(
                        SignatureAttribute.of(
                            Signature.parseFrom(
                                "Ljava/util/Map<Ljava/util/List<Ldev/varve/blob/Pack;>;+[I>;"))))),
    ANNOTATION(c -> c.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(pack())))),
    CALL(
        c ->
            c.withMethodBody(
                "m",
                MethodTypeDesc.of(CD_void),
                ClassFile.ACC_STATIC,
                code -> code.invokestatic(pack(), "go", MethodTypeDesc.of(CD_void)).return_())),
    CALLED_WITH(
        c ->
            c.withMethodBody(
                "m",
                MethodTypeDesc.of(CD_void),
                ClassFile.ACC_STATIC,
                code ->
                    code.aconst_null()
                        .invokestatic(
                            ClassDesc.of("dev.varve.hash.H"),
                            "go",
                            MethodTypeDesc.of(CD_void, pack()))
                        .return_()));

    private final Consumer<ClassBuilder> content;

    Named(Consumer<ClassBuilder> content) {
      this.content = content;
    }

    private static ClassDesc pack() {
      return ClassDesc.of("dev.varve.blob.Pack");
    }

    private static void abstractMethod(
        ClassBuilder type, MethodTypeDesc descriptor, Consumer<MethodBuilder> content) {
      type.withMethod("m", descriptor, ClassFile.ACC_ABSTRACT, content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anArrowIsSeenWhereverTheOtherClassIsNamed(Named named) {
    House house = house("dev.varve.hash.H", named.content);

    assertThat(house.complaints(SMALL))
        .containsExactly("hash -> blob: dev.varve.hash.H uses dev.varve.blob.Pack");
  }

  @Test
  void allowedArrowsAreNoComplaint() {
    assertThat(usesOf("dev.varve.blob.Pack", "dev.varve.hash.H", "dev.varve.Turn", "com.zip.Zip"))
        .isEmpty();
    assertThat(usesOf("dev.varve.all.All", "dev.varve.blob.Pack", "dev.varve.Turn")).isEmpty();
    assertThat(usesOf("dev.varve.Turn", "java.util.List", "org.nul.Nullable")).isEmpty();
    assertThat(usesOf("dev.varve.hash.H", "dev.varve.hash.Inner", "dev.varve.hash.H$1")).isEmpty();
  }

  @Test
  void aRoomThatIsNotInThePlanIsNoticed() {
    assertThat(usesOf("dev.varve.attic.Box")).containsExactly("room attic: not in the plan");
    assertThat(usesOf("dev.varve.hash.wide.Lanes"))
        .as("a room within a room is a room")
        .containsExactly("room hash.wide: not in the plan");
  }

  @Test
  void aLibraryInASecondRoomIsNoticed() {
    assertThat(usesOf("dev.varve.hash.H", "com.zip.deep.Zip"))
        .containsExactly(
            "com.zip in room hash: dev.varve.hash.H uses com.zip.deep.Zip, allowed in [blob]");
    assertThat(usesOf("dev.varve.blob.Pack", "com.zipper.Zip"))
        .containsExactly("com.zipper: not in the plan; dev.varve.blob.Pack uses com.zipper.Zip");
    assertThat(usesOf("dev.varve.blob.Pack", "jdk.incubator.vector.Vector")).hasSize(1);
  }

  @Test
  void circlesAndDeadArrowsInAPlanAreNoticed() {
    Plan plan =
        Plan.read(
            """
            ```rooms
            a -> b
            b -> c
            c -> a attic
            d -> a
            ```
            ```libraries
            x -> a
            ```
            """);

    assertThat(plan.complaints())
        .containsExactlyInAnyOrder(
            "a: the arrows lead back to it",
            "b: the arrows lead back to it",
            "c: the arrows lead back to it",
            "c -> attic: there is no room attic");
  }

  @Test
  void aPageWithoutAPlanIsRefused() {
    assertThatThrownBy(() -> Plan.read("# Architecture\n"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Plan.read("```rooms\na b c\n```\n")).hasMessageContaining("'a b c'");
    assertThatThrownBy(() -> Plan.read("```rooms\na -> b\na -> c\n```\n"))
        .hasMessageContaining("'a' twice");
  }

  private static List<String> usesOf(String user, String... used) {
    return house(
            user,
            type ->
                Arrays.stream(used)
                    .forEach(each -> type.withField("f" + each.hashCode(), ClassDesc.of(each), 0)))
        .complaints(SMALL);
  }

  private static House house(String name, Consumer<ClassBuilder> content) {
    byte[] bytes = ClassFile.of().build(ClassDesc.of(name), content);
    return new House(List.of(House.Built.of(bytes)));
  }
}
