// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import dev.varve.server.types.Bundles;
import dev.varve.server.types.Projection;
import dev.varve.server.types.RenderOptions;
import dev.varve.server.types.TypeBundleFiles;
import dev.varve.server.types.TypeRegistry;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsViewTest {

  private static final DeclaredType MESSAGE = new DeclaredType("chat.Message", 1);

  @TempDir Path folder;
  private Store store;
  private TypeRegistry registry;
  private ContextId context;

  @BeforeEach
  void open() {
    store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    registry = TypeRegistry.open(TypeBundleFiles.of(folder));
    context = store.createContext().id();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Turn append(String hex) {
    return store.append(context, NewTurn.of(Turns.hex(hex), MESSAGE, Encoding.MSGPACK));
  }

  private TurnsView.PageRequest request(
      int limit,
      @Nullable TurnId before,
      TurnsView.ShownPayload show,
      Map<String, String> parameters) {
    return new TurnsView.PageRequest(
        context,
        limit,
        before,
        show,
        Projection.Hint.read(parameters),
        RenderOptions.read(parameters),
        Long.MAX_VALUE);
  }

  private String page(int limit, TurnsView.ShownPayload show, Map<String, String> parameters) {
    return new TurnsView(store, registry)
        .page(request(limit, null, show, parameters))
        .text()
        .replace('"', '\'')
        .replaceAll("'created_at_unix_ms':\\d+", "'created_at_unix_ms':0");
  }

  @Test
  void aPageHasItsShape() {
    registry.put(Bundles.payload(Bundles.CHAT));
    Turn first = append("82 01 02 02 a2 6869");
    Turn second = append("81 02 a0");

    assertThat(page(64, TurnsView.ShownPayload.BOTH, Map.of()))
        .isEqualTo(
            ("{'meta':{'context_id':'1','head_turn_id':'%2$s','head_depth':1,"
                    + "'registry_bundle_id':'chat-v1'},'turns':["
                    + "{'turn_id':'%1$s','parent_turn_id':'0','depth':0,'created_at_unix_ms':0,"
                    + "'declared_type':{'type_id':'chat.Message','type_version':1},"
                    + "'decoded_as':{'type_id':'chat.Message','type_version':1},"
                    + "'data':{'role':'user','text':'hi'},"
                    + "'content_hash_b3':'%3$s','encoding':1,'compression':0,"
                    + "'uncompressed_len':7,'bytes_b64':'ggECAqJoaQ=='},"
                    + "{'turn_id':'%2$s','parent_turn_id':'%1$s','depth':1,'created_at_unix_ms':0,"
                    + "'declared_type':{'type_id':'chat.Message','type_version':1},"
                    + "'decoded_as':{'type_id':'chat.Message','type_version':1},"
                    + "'data':{'text':''},"
                    + "'content_hash_b3':'%4$s','encoding':1,'compression':0,"
                    + "'uncompressed_len':3,'bytes_b64':'gQKg'}],"
                    + "'next_before_turn_id':'%1$s'}")
                .formatted(first.id(), second.id(), first.payloadHash(), second.payloadHash()));
  }

  @Test
  void numbersAndBytesAreWrittenAsAsked() {
    append("80");
    assertThat(
            page(
                1,
                TurnsView.ShownPayload.RAW,
                Map.of("u64_format", "number", "bytes_render", "hex")))
        .contains("'turn_id':1,'parent_turn_id':0", "'bytes_hex':'80'", "'next_before_turn_id':1}")
        .doesNotContain("decoded_as");
    assertThat(page(1, TurnsView.ShownPayload.RAW, Map.of("bytes_render", "len_only")))
        .contains("'bytes_len':1");
  }

  @Test
  void anEmptyPageHasNoCursor() {
    assertThat(page(64, TurnsView.ShownPayload.TYPED, Map.of()))
        .isEqualTo(
            "{'meta':{'context_id':'1','head_turn_id':'0','head_depth':0,"
                + "'registry_bundle_id':null},'turns':[],'next_before_turn_id':null}");
    TurnId root = append("80").id();
    assertThat(
            new TurnsView(store, registry)
                .page(request(64, root, TurnsView.ShownPayload.TYPED, Map.of()))
                .text())
        .endsWith("\"turns\":[],\"next_before_turn_id\":null}");
  }

  @Test
  void aTurnThatCannotBeShownLeavesTheOthers() {
    registry.put(Bundles.payload(Bundles.CHAT));
    append("81 02 a161");
    store.append(
        context, NewTurn.of(Payload.EMPTY, new DeclaredType("no.Such", 1), Encoding.MSGPACK));
    append("c1");
    append("81 02 a162");

    assertThat(page(64, TurnsView.ShownPayload.TYPED, Map.of()))
        .contains("'data':{'text':'a'}", "'data':{'text':'b'}")
        .contains("'projection_error':{'message':'msgpack decode error at byte 0: cut short'}")
        .contains("'projection_error':{'message':'msgpack decode error at byte 0");
  }

  @Test
  void deletedTurnsAreShownAsSuch() {
    Turn turn = append("80");
    store.tombstone(turn.id());
    assertThat(page(64, TurnsView.ShownPayload.BOTH, Map.of()))
        .contains("'tombstone':true", "'payload_error':{'message':'the turn was deleted'}")
        .doesNotContain("bytes_b64");
  }

  @Test
  void aPageThatIsTooLargeShowsItsNewestTurnsAndKeepsItsLength() {
    for (int i = 0; i < 5; i++) {
      append("c4 08 " + "0" + i + "00".repeat(7));
    }
    String page =
        new TurnsView(store, registry, 25)
            .page(request(5, null, TurnsView.ShownPayload.RAW, Map.of()))
            .text();

    assertThat(page.split("\"turn_id\"", -1)).hasSize(6);
    assertThat(page.split("left out: the page is over 25 bytes", -1)).hasSize(4);
    assertThat(page.lastIndexOf("left out")).isLessThan(page.indexOf("bytes_b64"));
  }

  @Test
  void oneTurnIsFoundOnItsContextOnly() {
    Turn turn = append("80");
    TurnsView view = new TurnsView(store, registry);
    assertThat(view.turn(request(1, null, TurnsView.ShownPayload.RAW, Map.of()), turn.id()).text())
        .contains("\"turn_id\":\"" + turn.id() + "\"");
    context = store.createContext().id();
    assertThatThrownBy(
            () -> view.turn(request(1, null, TurnsView.ShownPayload.RAW, Map.of()), turn.id()))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> view.page(request(1, turn.id(), TurnsView.ShownPayload.RAW, Map.of())))
        .isInstanceOf(StoreException.NotFound.class);
  }
}
