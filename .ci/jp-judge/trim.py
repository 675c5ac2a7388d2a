# SPDX-License-Identifier: Apache-2.0
#
# Makes a workspace for cargo out of JP's sources that holds its storage and nothing that needs a repository of git: trim.py DIR
import os
import re
import sys

ROOT = sys.argv[1]
CRATES = ["jp_id", "jp_config", "jp_conversation", "jp_storage", "jp_workspace", "jp_attachment", "jp_mcp", "jp_tool",
          "contrib/schematic", "contrib/schematic_macros", "contrib/schematic_types"]


def edit(path, change):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(change(text))


def workspace(text):
    members = ", ".join(f'"crates/{crate}"' for crate in CRATES) + ', "judge"'
    text = re.sub(r"members = \[.*?\]", f"members = [{members}]", text, count=1, flags=re.S)
    return "\n".join(line for line in text.split("\n") if 'git = "' not in line and line != "[patch.crates-io]")


edit(f"{ROOT}/Cargo.toml", workspace)
for crate in CRATES:
    edit(f"{ROOT}/crates/{crate}/Cargo.toml",
         lambda text: re.sub(r"\n\[dev-dependencies\].*?(?=\n\[)", "\n", text, flags=re.S))
if os.path.exists(f"{ROOT}/rust-toolchain.toml"):
    os.remove(f"{ROOT}/rust-toolchain.toml")
with open(f"{ROOT}/judge/Cargo.toml", "w", encoding="utf-8") as file:
    file.write("""[package]
name = "judge"
version = "0.1.0"
edition = "2024"

[dependencies]
jp_workspace = { workspace = true }
camino = { workspace = true }
sha2 = { workspace = true }
""")
