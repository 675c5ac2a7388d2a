-- SPDX-License-Identifier: Apache-2.0
--
-- From an earlier format to format 3, besides erasures.sql and functions.sql. Running the script again changes nothing.

ALTER TABLE turn DROP CONSTRAINT IF EXISTS turn_payload_fkey;
ALTER TABLE turn DROP CONSTRAINT IF EXISTS turn_fs_root_fkey;
ALTER TABLE context DROP CONSTRAINT IF EXISTS context_about_fkey;
ALTER TABLE overlay DROP CONSTRAINT IF EXISTS overlay_blob_fkey;
UPDATE store SET format = 3 WHERE format < 3;
