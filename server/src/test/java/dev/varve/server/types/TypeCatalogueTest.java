// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import org.junit.jupiter.api.Test;

class TypeCatalogueTest {

  private static final String V1 = "{'1':{'name':'a','type':'string'}}";

  @Test
  void newTypesAndVersionsAreTakenUnderTheSameId() {
    TypeCatalogue catalogue =
        Bundles.catalogue(
            Bundles.small("b", "x.T", 1, V1),
            Bundles.small(
                "b",
                "x.T",
                3,
                "{'1':{'name':'renamed','type':'string'},'2':{'name':'b','type':'u64'}}"),
            Bundles.small("b", "x.U", 1, V1));

    assertThat(catalogue.version("x.T", 1)).isPresent();
    assertThat(catalogue.version("x.T", 2)).isEmpty();
    assertThat(catalogue.latest("x.T").orElseThrow().getKey()).isEqualTo(3);
    assertThat(catalogue.types())
        .containsExactly(
            new TypeCatalogue.TypeEntry("x.T", 3, "b"), new TypeCatalogue.TypeEntry("x.U", 1, "b"));
    assertThat(catalogue.bundleCount()).isEqualTo(1);
  }

  @Test
  void anOlderVersionMayComeLate() {
    TypeCatalogue catalogue =
        Bundles.catalogue(Bundles.small("b", "x.T", 2, V1), Bundles.small("b", "x.T", 1, V1));

    assertThat(catalogue.latest("x.T").orElseThrow().getKey()).isEqualTo(2);
  }

  @Test
  void aVersionKeepsItsFields() {
    for (String changed :
        new String[] {
          "{'1':{'name':'b','type':'string'}}",
          "{'1':{'name':'a','type':'u64'}}",
          "{'1':{'name':'a','type':'string','optional':true}}",
          "{'1':{'name':'a','type':'string'},'2':{'name':'b','type':'u64'}}",
          "{}"
        }) {
      assertThatThrownBy(
              () ->
                  Bundles.catalogue(
                      Bundles.small("b", "x.T", 1, V1), Bundles.small("c", "x.T", 1, changed)))
          .as(changed)
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining("type x.T version 1 tag");
    }
  }

  @Test
  void aConflictSaysWhatAndWhere() {
    assertThatThrownBy(
            () ->
                Bundles.catalogue(
                    Bundles.small("b", "x.T", 1, V1),
                    Bundles.small("b", "x.T", 2, "{'1':{'name':'a','type':'bytes'}}")))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessage(
            "type x.T version 2 tag 1 (a): expected string, as in other versions, found bytes");
  }

  @Test
  void aTagKeepsItsEnum() {
    String enums = "'enums':{'e':{'1':'x'},'f':{'1':'x'}}}";
    String first =
        Bundles.small("b", "x.T", 1, "{'1':{'name':'a','type':'u8','enum':'e'}}")
            .replaceFirst("}$", "," + enums);
    String second =
        Bundles.small("b", "x.T", 2, "{'1':{'name':'a','type':'u8','enum':'f'}}")
            .replaceFirst("}$", "," + enums);

    assertThatThrownBy(() -> Bundles.catalogue(first, second))
        .hasMessageContaining("expected u8 of enum e")
        .hasMessageContaining("found u8 of enum f");
  }

  @Test
  void whatAnArrayHoldsMayChangeInANewVersion() {
    TypeCatalogue catalogue =
        Bundles.catalogue(
            Bundles.small("b", "x.T", 1, "{'1':{'name':'a','type':'array','items':'string'}}"),
            Bundles.small("b", "x.T", 2, "{'1':{'name':'a','type':'array','items':'u64'}}"));

    assertThat(catalogue.version("x.T", 2)).isPresent();
  }

  @Test
  void anEnumMayGrowButNotChange() {
    String e = "{'registry_version':1,'bundle_id':'b','enums':{'e':{%s}}}";
    TypeCatalogue catalogue =
        Bundles.catalogue(e.formatted("'1':'x'"), e.formatted("'2':'y'"), e.formatted("'1':'x'"));

    assertThat(catalogue.label("e", "1")).contains("x");
    assertThat(catalogue.label("e", "2")).contains("y");
    assertThatThrownBy(() -> Bundles.catalogue(e.formatted("'1':'x'"), e.formatted("'1':'z'")))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessage("enum e number 1: expected label 'x', found 'z'");
  }

  @Test
  void aFieldNeedsItsEnumInSomeBundle() {
    assertThatThrownBy(
            () ->
                Bundles.catalogue(
                    Bundles.small("b", "x.T", 1, "{'1':{'name':'a','type':'u8','enum':'e'}}")))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("type x.T version 1 tag 1: missing enum e");
  }

  @Test
  void aRendererMayBeAddedOnceAndStays() {
    String without = Bundles.small("b", "x.T", 1, V1);
    String with = without.replace("]}", "").replace(V1, V1 + ",'renderer':{'esm_url':'u'}");
    String other = with.replace("'u'", "'v'");

    for (TypeCatalogue catalogue :
        new TypeCatalogue[] {
          Bundles.catalogue(without, with), Bundles.catalogue(without, with, without, with)
        }) {
      assertThat(catalogue.version("x.T", 1).orElseThrow().renderer())
          .isEqualTo(new TypeRenderer("u", null, null));
    }
    assertThatThrownBy(() -> Bundles.catalogue(with, other))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("type x.T version 1 renderer");
  }

  @Test
  void aRefusedBundleLeavesNothing() {
    TypeCatalogue before = Bundles.catalogue(Bundles.small("b", "x.T", 1, V1));
    String halfGood =
        "{'registry_version':1,'bundle_id':'c','types':{'a.New':{'versions':{'1':{}}},"
            + "'x.T':{'versions':{'1':{}}}},'enums':{'e':{'1':'x'}}}";

    assertThatThrownBy(() -> before.with(Bundles.read(halfGood), before.bundle("b").orElseThrow()))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(before.version("a.New", 1)).isEmpty();
    assertThat(before.label("e", "1")).isEmpty();
    assertThat(before.bundle("c")).isEmpty();
  }
}
