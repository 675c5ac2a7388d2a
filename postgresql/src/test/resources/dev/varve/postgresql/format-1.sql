-- SPDX-License-Identifier: Apache-2.0
--
-- The tables and functions of a store as the first version made them, frozen: the test of the upgrade begins with this copy, which no
-- later change of the schema touches. Format 1 (docs/format/postgresql.md). The schema that holds them is chosen by the connection.

CREATE TABLE store (
  format   int         NOT NULL,
  store_id uuid        NOT NULL,
  made_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX store_once ON store ((true));

CREATE TABLE blob (
  hash      bytea    PRIMARY KEY,
  raw_bytes bigint   NOT NULL,
  codec     smallint NOT NULL,
  data      bytea    NOT NULL
);
-- The data is compressed before it is sent.
ALTER TABLE blob ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE declared_type (
  tag     int    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      bytea  NOT NULL,
  version int    NOT NULL,
  UNIQUE (id, version)
);

CREATE SEQUENCE turn_id AS bigint MAXVALUE 4611686018427387903;
CREATE SEQUENCE context_id AS bigint MAXVALUE 4611686018427387903;

CREATE TABLE turn (
  id            bigint   PRIMARY KEY,
  parent        bigint   NOT NULL,
  depth         int      NOT NULL,
  jump          bigint   NOT NULL,
  context       bigint   NOT NULL,
  type          int      NOT NULL REFERENCES declared_type (tag),
  encoding      int      NOT NULL,
  compression   int      NOT NULL,
  created_ms    bigint   NOT NULL,
  payload       bytea    NOT NULL REFERENCES blob (hash),
  payload_bytes bigint   NOT NULL,
  fs_root       bytea    REFERENCES blob (hash),
  key_hash      bytea    UNIQUE
);
CREATE INDEX turn_children ON turn (parent, payload);

CREATE TABLE context (
  id         bigint PRIMARY KEY,
  head       bigint NOT NULL,
  head_depth int    NOT NULL,
  base       bigint NOT NULL,
  created_ms bigint NOT NULL,
  active_ms  bigint NOT NULL,
  about      bytea  REFERENCES blob (hash)
);
CREATE INDEX context_by_activity ON context (active_ms DESC, id DESC);

CREATE TABLE overlay (
  seq     bigint   PRIMARY KEY,
  turn    bigint   NOT NULL REFERENCES turn (id),
  kind    smallint NOT NULL,
  blob    bytea    REFERENCES blob (hash),
  attempt uuid     NOT NULL UNIQUE
);
CREATE INDEX overlay_of_turn ON overlay (turn, seq);

-- Numbers are taken under a shared lock; a history that is brought in with its own numbers takes the lock alone, so that a
-- sequence never goes back.
CREATE FUNCTION lock_numbers(alone boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF alone THEN
    PERFORM pg_advisory_xact_lock('turn_id'::regclass::oid::bigint);
  ELSE
    PERFORM pg_advisory_xact_lock_shared('turn_id'::regclass::oid::bigint);
  END IF;
END $$;

CREATE FUNCTION next_number(numbers regclass) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_numbers(false);
  RETURN nextval(numbers);
END $$;

-- Makes the sequence go on behind a number that was given elsewhere.
CREATE FUNCTION pass_number(numbers regclass, taken bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE given bigint;
BEGIN
  EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %s', numbers) INTO given;
  IF taken > given THEN
    PERFORM setval(numbers, taken);
  END IF;
END $$;

CREATE FUNCTION last_number(numbers regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE given bigint;
BEGIN
  EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %s', numbers) INTO given;
  RETURN given;
END $$;

-- Keeps a blob unless the same bytes are kept already; other bytes under its name are damage, and replaced.
CREATE FUNCTION put_blob(p_hash bytea, p_raw_bytes bigint, p_codec smallint, p_data bytea) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE is_new boolean;
BEGIN
  INSERT INTO blob (hash, raw_bytes, codec, data) VALUES (p_hash, p_raw_bytes, p_codec, p_data)
  ON CONFLICT (hash) DO UPDATE SET raw_bytes = p_raw_bytes, codec = p_codec, data = p_data
    WHERE blob.data <> p_data OR blob.codec <> p_codec OR blob.raw_bytes <> p_raw_bytes
  RETURNING xmax = 0 INTO is_new;
  RETURN coalesce(is_new, false);
END $$;

-- Outcomes of the functions below: 0 done below the parent `found`, 1 no context, 2 the key was used by turn `found`, 3 the head is `found`, 4 no parent,
-- 5 no file tree, 6 the number is not above the parent's, 7 the number is taken, 8 too deep, 9 too many types.
CREATE TYPE outcome AS (status int, found bigint, depth int);

CREATE FUNCTION insert_turn(
  p_id bigint, p_context bigint, p_parent bigint, p_key bytea, p_type bytea, p_version int, p_types_max int, p_encoding int,
  p_compression int, p_payload bytea, p_raw_bytes bigint, p_codec smallint, p_data bytea, p_fs_root bytea, p_created_ms bigint)
RETURNS outcome LANGUAGE plpgsql AS $$
DECLARE
  above turn; jump turn; beyond turn; to_jump bigint := p_id; own_depth int := 0; tag_found int;
BEGIN
  IF p_parent <> 0 THEN
    SELECT * INTO above FROM turn WHERE id = p_parent;
    IF NOT FOUND THEN
      RETURN (4, p_parent, 0)::outcome;
    END IF;
    IF above.depth = 2147483647 THEN
      RETURN (8, 0, 0)::outcome;
    END IF;
    IF p_id <= p_parent THEN
      RETURN (6, 0, 0)::outcome;
    END IF;
    own_depth := above.depth + 1;
    -- Two leaps of equal length become one (E. W. Myers, An applicative random-access stack, 1983).
    jump := above;
    IF above.jump <> above.id THEN
      SELECT * INTO jump FROM turn WHERE id = above.jump;
    END IF;
    beyond := jump;
    IF jump.jump <> jump.id THEN
      SELECT * INTO beyond FROM turn WHERE id = jump.jump;
    END IF;
    to_jump := CASE WHEN above.depth - jump.depth = jump.depth - beyond.depth THEN beyond.id ELSE above.id END;
  END IF;
  IF p_fs_root IS NOT NULL AND p_fs_root <> p_payload AND NOT EXISTS (SELECT 1 FROM blob WHERE hash = p_fs_root) THEN
    RETURN (5, 0, 0)::outcome;
  END IF;
  SELECT tag INTO tag_found FROM declared_type WHERE id = p_type AND version = p_version;
  IF NOT FOUND THEN
    LOCK TABLE declared_type IN SHARE ROW EXCLUSIVE MODE;
    SELECT tag INTO tag_found FROM declared_type WHERE id = p_type AND version = p_version;
    IF NOT FOUND THEN
      IF (SELECT count(*) FROM declared_type) >= p_types_max THEN
        RETURN (9, p_types_max, 0)::outcome;
      END IF;
      INSERT INTO declared_type (id, version) VALUES (p_type, p_version) RETURNING tag INTO tag_found;
    END IF;
  END IF;
  IF p_data IS NOT NULL THEN
    PERFORM put_blob(p_payload, p_raw_bytes, p_codec, p_data);
  END IF;
  INSERT INTO turn (id, parent, depth, jump, context, type, encoding, compression, created_ms, payload, payload_bytes, fs_root,
      key_hash)
    VALUES (p_id, p_parent, own_depth, to_jump, p_context, tag_found, p_encoding, p_compression, p_created_ms, p_payload,
      p_raw_bytes, p_fs_root, p_key);
  RETURN (0, p_parent, own_depth)::outcome;
END $$;

-- An append. May be repeated with the same number: a repetition finds what the first call did.
CREATE FUNCTION append_turn(
  p_id bigint, p_context bigint, p_parent bigint, p_expected bigint, p_key bytea, p_type bytea, p_version int, p_types_max int,
  p_encoding int, p_compression int, p_payload bytea, p_raw_bytes bigint, p_codec smallint, p_data bytea, p_fs_root bytea,
  p_created_ms bigint)
RETURNS outcome LANGUAGE plpgsql AS $$
DECLARE
  here context; first_turn bigint; taken turn; done outcome;
BEGIN
  SELECT * INTO here FROM context WHERE id = p_context FOR UPDATE;
  IF NOT FOUND THEN
    RETURN (1, 0, 0)::outcome;
  END IF;
  SELECT * INTO taken FROM turn WHERE id = p_id;
  IF FOUND THEN
    RETURN (CASE WHEN taken.context = p_context AND taken.payload = p_payload THEN 0 ELSE 7 END, taken.parent, taken.depth)::outcome;
  END IF;
  IF p_key IS NOT NULL THEN
    SELECT id INTO first_turn FROM turn WHERE key_hash = p_key;
    IF FOUND THEN
      RETURN (2, first_turn, 0)::outcome;
    END IF;
  END IF;
  IF p_expected IS NOT NULL AND p_expected <> here.head THEN
    RETURN (3, here.head, 0)::outcome;
  END IF;
  done := insert_turn(p_id, p_context, coalesce(p_parent, here.head), p_key, p_type, p_version, p_types_max, p_encoding,
    p_compression, p_payload, p_raw_bytes, p_codec, p_data, p_fs_root, p_created_ms);
  IF done.status = 0 THEN
    UPDATE context SET head = p_id, head_depth = done.depth, active_ms = greatest(active_ms, p_created_ms) WHERE id = p_context;
  END IF;
  RETURN done;
END $$;

-- A turn of another store, under its own number.
CREATE FUNCTION restore_turn(
  p_id bigint, p_context bigint, p_parent bigint, p_key bytea, p_type bytea, p_version int, p_types_max int, p_encoding int,
  p_compression int, p_payload bytea, p_raw_bytes bigint, p_codec smallint, p_data bytea, p_fs_root bytea, p_created_ms bigint)
RETURNS outcome LANGUAGE plpgsql AS $$
DECLARE
  first_turn bigint; taken turn; done outcome; given bigint;
BEGIN
  PERFORM lock_numbers(true);
  given := last_number('turn_id');
  IF p_id <= given THEN
    RETURN (7, given, 0)::outcome;
  END IF;
  IF p_key IS NOT NULL THEN
    SELECT id INTO first_turn FROM turn WHERE key_hash = p_key;
    IF FOUND THEN
      RETURN (2, first_turn, 0)::outcome;
    END IF;
  END IF;
  done := insert_turn(p_id, p_context, p_parent, p_key, p_type, p_version, p_types_max, p_encoding, p_compression, p_payload,
    p_raw_bytes, p_codec, p_data, p_fs_root, p_created_ms);
  IF done.status = 0 THEN
    PERFORM pass_number('turn_id', p_id);
  END IF;
  RETURN done;
END $$;

-- The ancestor of a turn at a depth that is at most its own.
CREATE FUNCTION ancestor_at(p_turn bigint, p_depth int) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  here turn; leap turn;
BEGIN
  SELECT * INTO here FROM turn WHERE id = p_turn;
  WHILE here.depth > p_depth LOOP
    SELECT * INTO leap FROM turn WHERE id = here.jump;
    IF leap.depth < p_depth THEN
      SELECT * INTO leap FROM turn WHERE id = here.parent;
    END IF;
    here := leap;
  END LOOP;
  RETURN here.id;
END $$;

-- The deepest common ancestor of two turns; 0 if their roots differ.
CREATE FUNCTION common_ancestor(p_a bigint, p_b bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  a turn; b turn;
BEGIN
  SELECT * INTO a FROM turn WHERE id = p_a;
  SELECT * INTO b FROM turn WHERE id = p_b;
  IF a.depth > b.depth THEN
    SELECT * INTO a FROM turn WHERE id = ancestor_at(a.id, b.depth);
  ELSIF b.depth > a.depth THEN
    SELECT * INTO b FROM turn WHERE id = ancestor_at(b.id, a.depth);
  END IF;
  WHILE a.id <> b.id LOOP
    IF a.depth = 0 THEN
      RETURN 0;
    END IF;
    IF a.jump <> b.jump THEN
      SELECT * INTO a FROM turn WHERE id = a.jump;
      SELECT * INTO b FROM turn WHERE id = b.jump;
    ELSE
      SELECT * INTO a FROM turn WHERE id = a.parent;
      SELECT * INTO b FROM turn WHERE id = b.parent;
    END IF;
  END LOOP;
  RETURN a.id;
END $$;

-- Adds an overlay. May be repeated with the same attempt. Outcomes: 0 done, 4 no turn, 5 no blob.
CREATE FUNCTION add_overlay(
  p_attempt uuid, p_turn bigint, p_kind smallint, p_blob bytea, p_raw_bytes bigint, p_codec smallint, p_data bytea)
RETURNS outcome LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM turn WHERE id = p_turn) THEN
    RETURN (4, p_turn, 0)::outcome;
  END IF;
  LOCK TABLE overlay IN SHARE ROW EXCLUSIVE MODE;
  SELECT seq INTO number FROM overlay WHERE attempt = p_attempt;
  IF FOUND THEN
    RETURN (0, number, 0)::outcome;
  END IF;
  IF p_data IS NOT NULL THEN
    PERFORM put_blob(p_blob, p_raw_bytes, p_codec, p_data);
  ELSIF p_blob IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob WHERE hash = p_blob) THEN
    RETURN (5, 0, 0)::outcome;
  END IF;
  INSERT INTO overlay (seq, turn, kind, blob, attempt)
    VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM overlay), p_turn, p_kind, p_blob, p_attempt) RETURNING seq INTO number;
  RETURN (0, number, 0)::outcome;
END $$;

INSERT INTO store (format, store_id) VALUES (1, gen_random_uuid());
