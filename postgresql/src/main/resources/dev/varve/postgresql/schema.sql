-- SPDX-License-Identifier: Apache-2.0
--
-- The tables of a store, format 3 (docs/format/postgresql.md). The schema that holds them is chosen by the connection.

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
-- The data is compressed before it is sent. Rows that name a blob stay when the blob is erased, so that nothing references this table.
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
  payload       bytea    NOT NULL,
  payload_bytes bigint   NOT NULL,
  fs_root       bytea,
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
  about      bytea
);
CREATE INDEX context_by_activity ON context (active_ms DESC, id DESC);

CREATE TABLE overlay (
  seq     bigint   PRIMARY KEY,
  turn    bigint   NOT NULL REFERENCES turn (id),
  kind    smallint NOT NULL,
  blob    bytea,
  attempt uuid     NOT NULL UNIQUE
);
CREATE INDEX overlay_of_turn ON overlay (turn, seq);

-- The outcome of a function in functions.sql.
CREATE TYPE outcome AS (status int, found bigint, depth int);

INSERT INTO store (format, store_id) VALUES (3, gen_random_uuid());
