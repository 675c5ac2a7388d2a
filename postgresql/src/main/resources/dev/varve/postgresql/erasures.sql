-- SPDX-License-Identifier: Apache-2.0
--
-- The tables of holds, erasures and former descriptions. Running the script again changes nothing.

CREATE TABLE IF NOT EXISTS hold (
  context  bigint PRIMARY KEY,
  since_ms bigint NOT NULL,
  until_ms bigint,
  reason   text   NOT NULL
);

CREATE TABLE IF NOT EXISTS erasure (
  run          int      PRIMARY KEY,
  attempt      uuid     NOT NULL UNIQUE,
  erased_ms    bigint   NOT NULL,
  digest       bytea    NOT NULL,
  blobs        bigint   NOT NULL,
  raw_bytes    bigint   NOT NULL,
  staying      bigint   NOT NULL,
  turns        bigint   NOT NULL,
  bytes_before bigint   NOT NULL,
  bytes_after  bigint   NOT NULL,
  turn_ids     bigint[] NOT NULL
);

CREATE TABLE IF NOT EXISTS erasure_blob (
  run  int   NOT NULL REFERENCES erasure (run),
  hash bytea NOT NULL,
  PRIMARY KEY (run, hash)
);

CREATE TABLE IF NOT EXISTS erased (
  hash       bytea    PRIMARY KEY,
  raw_bytes  bigint   NOT NULL,
  cause      smallint NOT NULL,
  erased_ms  bigint   NOT NULL,
  run        int      NOT NULL,
  readmitted boolean  NOT NULL
);

-- Descriptions that contexts had before their present ones: an erasure of a context takes these too.
CREATE TABLE IF NOT EXISTS former_about (
  context bigint NOT NULL,
  about   bytea  NOT NULL,
  PRIMARY KEY (context, about)
);
