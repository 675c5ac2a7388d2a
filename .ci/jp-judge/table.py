# SPDX-License-Identifier: Apache-2.0
#
# A workspace with a conversation for each line of a table of verdicts, and the comparison with what JP itself says.
#   table.py make TABLE DIR            then: judge DIR sanitize rewrite > SAID
#   table.py compare TABLE DIR SAID
import json
import os
import re
import sys

TIME = '"timestamp":"2026-06-01 10:00:00.0"'
CONFIG = {"assistant": {"model": {"id": {"provider": "anthropic", "name": "x"}}},
          "conversation": {"tools": {"*": {"run": "ask"}}}}
METADATA = {"last_activated_at": "2026-06-01 10:00:00.0"}
FIRST = 17900000000


def rows(table):
    with open(table, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    return [line.split("\t", 2) for line in lines]


def expand(text):
    text = re.sub(r"%DEEP(\d+);", lambda m: "[" * int(m[1]) + "]" * int(m[1]), text)
    for name, meant in {"%T": TIME, "%H": "a" * 64, "%BOM": "\u00ef\u00bb\u00bf", "%FF": "\u00ff", "%01": "\x01",
                        "%LF": "\n"}.items():
        text = text.replace(name, meant)
    return text.encode("latin-1")


def files(what, text):
    found = {"events.json": f'[{{{TIME},"type":"turn_start"}}]'.encode(), "base_config.json": json.dumps(CONFIG).encode(),
             "metadata.json": json.dumps(METADATA).encode()}
    if what == "an event":
        found["events.json"] = expand('[{%T,"type":"turn_start"}, ' + text + "]\n")
    elif what == "events.json alone":
        found["events.json"] = expand(text)
        del found["base_config.json"]
    else:
        found[what] = expand(text)
    return found


def make(table, folder):
    os.makedirs(f"{folder}/.jp/conversations")
    with open(f"{folder}/.jp/.id", "w", encoding="utf-8") as file:
        file.write("id\nab1cd")
    for number, (_, what, text) in enumerate(rows(table)):
        conversation = f"{folder}/.jp/conversations/{FIRST + number}-x"
        os.mkdir(conversation)
        for name, content in files(what, text).items():
            with open(f"{conversation}/{name}", "wb") as file:
                file.write(content)


def pairs(members):
    names = [name for name, _ in members]
    return {**dict(members), **({"*twice": names} if len(set(names)) < len(names) else {})}


def plain(value, name=""):
    """What is said, without the spelling of times and of numbers."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each, key) for key, each in value.items() if key != "local" and each is not None and each != {}}
    if name == "timestamp" and isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", value):
        return "a time"
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def is_whole(folder, number, what, text):
    """Whether what JP has written again says what was there."""
    before = files(what, text)
    name = next(name for name in os.listdir(f"{folder}/.jp/conversations") if name.startswith(str(FIRST + number)))
    for part in ("events.json", "metadata.json"):
        old = json.loads(before[part], object_pairs_hook=pairs)
        with open(f"{folder}/.jp/conversations/{name}/{part}", encoding="utf-8") as file:
            new = json.load(file)
        if part == "events.json" and what == "events.json alone":
            old = old[1:]  # JP gives the configuration a file of its own
        if plain(old) != plain(new):
            return False
    return True


def compare(table, folder, said):
    verdicts = {}
    with open(said, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"(\d+)\S* (TRASHED|OK|ERROR)", line)
            if found:
                word = {"TRASHED": "trashes", "OK": "reads", "ERROR": "unreadable"}[found[2]]
                verdicts[int(found[1]) - FIRST] = word
    wrong = 0
    for number, (expected, what, text) in enumerate(rows(table)):
        jp = verdicts.get(number, "unreadable")  # what JP does not list
        if jp == "reads" and not is_whole(folder, number, what, text):
            jp = "loses"
        if jp != expected:
            wrong += 1
            print(f"JP {jp}, the table says {expected}: {what}: {text}")
    print(f"{len(rows(table))} verdicts, {wrong} of them not JP's")
    return wrong


if sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    sys.exit(1 if compare(*sys.argv[2:]) else 0)
