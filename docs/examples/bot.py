"""A bot for a room of Ricochet Robots: python3 bot.py http://127.0.0.1:8017/#room=NAME"""
import json
import sys
import urllib.error
import urllib.request

server, room = sys.argv[1].split("/#room=")
rooms = f"/api/v1/rooms/{room}"


def call(path, fields=None, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    body = None if fields is None else json.dumps(fields).encode()
    return urllib.request.urlopen(urllib.request.Request(server + path, body, headers))


def act(what, **fields):
    try:
        call(f"{rooms}/do/{what}", fields, seat["token"])
    except urllib.error.HTTPError as refused:  # too late, for example
        print(what, fields, refused.read().decode())


def think(puzzle):
    answer = json.load(call("/api/v1/solve", {"puzzle": puzzle, "limits": {"ms": 2000}}))
    if answer["moves"]:
        act("bid", moves=len(answer["moves"]))
    return answer["moves"] or []


seat = json.load(call(f"{rooms}/seats", {"name": "Snake", "bot": True}))
moves = []
for line in call(f"{rooms}/stream", token=seat["token"]):
    message = json.loads(line) if line.strip() else {}  # blank lines keep the stream open
    position = (message.get("snapshot") or {}).get("round") or message
    if position.get("puzzle"):
        moves = think(position["puzzle"])
    elif message.get("event") == "show-started" and message["player"] == seat["player"]:
        act("show", moves=moves)
