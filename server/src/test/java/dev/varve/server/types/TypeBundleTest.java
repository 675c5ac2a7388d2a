// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeBundleTest {

  /// `-Dfuzz.runs=N` for more.
  private static final int RUNS = Integer.getInteger("fuzz.runs", 2_000);

  @Test
  void everythingThatABundleSaysIsRead() {
    TypeBundle bundle = Bundles.read(Bundles.CHAT);

    assertThat(bundle.registryVersion()).isEqualTo(1);
    assertThat(bundle.id()).isEqualTo("chat-v1");
    assertThat(bundle.enums().get("chat.Role")).containsEntry("2", "user");
    TypeVersion message = bundle.types().get("chat.Message").get(1L);
    assertThat(message.fields().get(1L))
        .isEqualTo(new TypeField("role", "u8", "chat.Role", null, false, TypeField.Items.Any.ANY));
    assertThat(message.fields().get(4L).items()).isEqualTo(new TypeField.Items.Of("string"));
    assertThat(message.fields().get(5L).items()).isEqualTo(new TypeField.Items.Ref("chat.Call"));
    assertThat(message.fields().get(6L).ref()).isEqualTo("chat.Message");
    assertThat(message.renderer())
        .isEqualTo(new TypeRenderer("builtin:MessageRenderer", "C", "sha384-x"));
    assertThat(bundle.types().get("chat.Call")).containsOnlyKeys(1L, 2L);
  }

  @Test
  void aDescriptorIsWrittenInTheOrderOfItsTags() {
    String fields =
        "{'10':{'name':'m','type':'ref','ref':'x.M'},'9':{'name':'files','type':'array',"
            + "'items':'string','optional':true},'2':{'name':'calls','type':'array','semantic':'s',"
            + "'items':{'ref':'x.C'}},'18446744073709551615':{'name':'role','type':'u8','enum':'e'}}";
    TypeVersion version =
        Bundles.read(Bundles.small("b", "x.T", 1, fields)).types().get("x.T").get(1L);

    assertThat(version.text().replace('"', '\''))
        .isEqualTo(
            "{'fields':{'2':{'name':'calls','type':'array','items':{'type':'ref','ref':'x.C'}},"
                + "'9':{'name':'files','type':'array','optional':true,'items':'string'},"
                + "'10':{'name':'m','type':'ref','ref':'x.M'},"
                + "'18446744073709551615':{'name':'role','type':'u8','enum':'e'}}}");
  }

  @Test
  void aBundleNeedsNoTypes() {
    assertThat(Bundles.read("{'registry_version':4294967295,'bundle_id':'b'}").types()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                                        | bundle: expected an object,"
            + " found an array",
        "{'bundle_id':'b'}                                         | registry_version: expected a"
            + " number of 32 bits, found nothing",
        "{'registry_version':0,'bundle_id':'b'}                    | registry_version: must be > 0",
        "{'registry_version':4294967296,'bundle_id':'b'}           | registry_version: expected a"
            + " number of 32 bits",
        "{'registry_version':1}                                    | bundle_id: missing",
        "{'registry_version':1,'bundle_id':7}                      | bundle_id: expected text,"
            + " found 7",
        "{'registry_version':1,'bundle_id':''}                     | bundle_id: is empty",
        "{'registry_version':1,'bundle_id':'b','types':[]}         | types: expected an object",
        "{'registry_version':1,'bundle_id':'b','types':{'t':{'versions':{'one':{}}}}} |"
            + " types.t.versions.one: invalid type version",
        "{'registry_version':1,'bundle_id':'b','types':{'t':{'versions':{'1':{'fields':{'x':{}}}}}}}"
            + " | types.t.versions.1.fields.x: invalid field tag",
        "{'registry_version':1,'bundle_id':'b','types':{'t':{'versions':{'1':{'fields':{'1':{'name':'n'}}}}}}}"
            + " | types.t.versions.1.fields.1.type: missing",
        "{'registry_version':1,'bundle_id':'b','types':{'t':{'versions':{'1':{'fields':{'1':{'ref':'n','type':'ref'}}}}}}}"
            + " | fields.1.name: missing",
        "{'registry_version':1,'bundle_id':'b','types':{'t':{'versions':{'1':{},'01':{}}}}} | this"
            + " version stands twice",
        "{'registry_version':1,'bundle_id':'b','enums':{'e':{'1':2}}} | enums.e.1: expected text,"
            + " found 2",
        "{'registry_version':1,'bundle_id':'b','bundle_id':'c'}    | Duplicate",
        "{'registry_version':1,'bundle_id':'b'} x                  | invalid json",
        "{'registry_version':1,                                    | invalid json",
      })
  void aComplaintNamesThePlace(String bundle, String complaint) {
    assertThatThrownBy(() -> Bundles.read(bundle))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "null", "\u0000", "\ufeff{}"})
  void whatIsNoObjectIsRefused(String text) {
    assertThatThrownBy(() -> Bundles.read(text)).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void sizesAreBounded() {
    RegistryLimits tight = new RegistryLimits(200, 1, 1, 1, 2, 20);
    assertThatThrownBy(() -> TypeBundle.read(Payload.wrap(new byte[201]), tight))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(
            () ->
                TypeBundle.read(
                    Bundles.payload("{'registry_version':1,'bundle_id':'123456789012345678901'}"),
                    tight))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("bundle_id");
    assertThatThrownBy(
            () ->
                TypeBundle.read(
                    Bundles.payload(
                        "{'registry_version':1,'bundle_id':'b','enums':{'e':{'1':'','2':'','3':''}}}"),
                    tight))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> Bundles.read("[".repeat(100_000)))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void garbledBundlesAreReadOrRefused() {
    byte[] bundle = Bundles.payload(Bundles.CHAT).bytes();
    byte[] letters = "{}[]\",:0123456789eE.-+\\u nulltrue\u00ff".getBytes(StandardCharsets.UTF_8);
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = bundle.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = letters[random.nextInt(letters.length)];
      }
      try {
        TypeBundle.read(Payload.wrap(bytes), RegistryLimits.DEFAULTS);
      } catch (StoreException.Invalid | StoreException.TooLarge e) {
        assertThat(e.getMessage()).as("seed %d", seed).hasSizeLessThan(2_000);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
