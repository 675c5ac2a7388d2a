// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.Payload;
import dev.varve.hash.Blake3;

/// Bundles that tests use, written with single quotes.
public final class Bundles {

  /// Everything a bundle can say.
  public static final String CHAT =
      """
      {'registry_version':1,'bundle_id':'chat-v1','types':{
        'chat.Message':{'versions':{
          '1':{'fields':{
            '1':{'name':'role','type':'u8','enum':'chat.Role'},
            '2':{'name':'text','type':'string'},
            '3':{'name':'at','type':'timestamp_ms','optional':true},
            '4':{'name':'files','type':'array','items':'string','optional':true},
            '5':{'name':'calls','type':'array','items':{'type':'ref','ref':'chat.Call'},'optional':true},
            '6':{'name':'reply','type':'ref','ref':'chat.Message','optional':true},
            '7':{'name':'blob','type':'bytes','optional':true},
            '8':{'name':'size','type':'u64','optional':true},
            '9':{'name':'change','type':'i64','optional':true},
            '10':{'name':'small','type':'int32','optional':true},
            '11':{'name':'done','type':'bool','optional':true},
            '12':{'name':'any','type':'something','optional':true}},
           'renderer':{'esm_url':'builtin:MessageRenderer','component':'C','integrity':'sha384-x'}}}},
        'chat.Call':{'versions':{
          '1':{'fields':{'1':{'name':'name','type':'string'}}},
          '2':{'fields':{'1':{'name':'name','type':'string'},
                         '2':{'name':'args','type':'string','optional':true}}}}}},
       'enums':{'chat.Role':{'1':'system','2':'user'}}}
      """;

  private Bundles() {}

  /// A bundle with one type in one version.
  public static String small(String bundleId, String typeId, int version, String fields) {
    return "{'registry_version':1,'bundle_id':'%s','types':{'%s':{'versions':{'%d':{'fields':%s}}}}}"
        .formatted(bundleId, typeId, version, fields);
  }

  public static Payload payload(String bundle) {
    return Payload.utf8(bundle.replace('\'', '"'));
  }

  public static TypeBundle read(String bundle) {
    return TypeBundle.read(payload(bundle), RegistryLimits.DEFAULTS);
  }

  /// What some bundles say together.
  public static TypeCatalogue catalogue(String... bundles) {
    TypeCatalogue catalogue = TypeCatalogue.empty(RegistryLimits.DEFAULTS);
    for (String bundle : bundles) {
      catalogue = catalogue.with(read(bundle), Blake3.hash(payload(bundle).bytes()));
    }
    return catalogue;
  }
}
