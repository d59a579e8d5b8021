"""Drives headless Chromium over reports and compares what it shows with the rules.

Usage: browser.py NARIKIN [RUN…]. Besides the runs it makes small ones of several games, one of them
with a hostile name, and a small tournament. Python's standard library only; chromedriver speaks JSON over HTTP (WebDriver).
"""

import contextlib
import csv
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIANTS = ["micro", "shogi", "xiangqi", "kyotoshogi", "dobutsu", "cannonshogi"]
HOSTILE = "</script><img src=x onerror='window.pwned=1'>"
TINY = [
    "net.blocks=1", "net.channels=8", "selfplay.simulations=8", "selfplay.games_per_worker=4",
    "selfplay.games_per_chunk=4", "schedule.first_positions=1000000000",
]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1400,1000",
]
PATIENCE = 600  # seconds, for machines that are busy


class Browser:
    """A WebDriver session."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        options = {"args": [*FLAGS, f"--user-data-dir={folder}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.call("GET", "/status")["ready"]:
                    break
            except OSError:
                if time.monotonic() > end or self.driver.poll() is not None:
                    raise
                time.sleep(0.2)
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base += f"/session/{session['sessionId']}"
        self.call("POST", "/url", {"url": "about:blank"})  # Off the browser's own first page.

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, path):
        self.log("browser"), self.log("performance")  # Forgets what was before.
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def click(self, selector):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{next(iter(element.values()))}/click", {})

    def key(self, code):
        press = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": press}]})

    def resize(self, width, height):
        self.call("POST", "/window/rect", {"width": width, "height": height})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def close(self):
        with contextlib.suppress(OSError):
            self.call("DELETE", "")
        self.driver.terminate()
        self.driver.wait()


def check(holds, what):
    if not holds:
        raise SystemExit(f"browser-test: FAILED: {what}")


def make_run(narikin, folder, variant):
    """A run of which a few games of generation 0 are recorded."""
    games = folder / "games"
    sets = [word for pair in TINY for word in ("--set", pair)]
    command = [narikin, "run", ROOT / "configs/smoke.toml", "--dir", folder, "--budget", "1h", "--quiet", *sets, "--set", f"variant='{variant}'"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while not list(games.glob("*.parquet")):
        check(process.poll() is None, f"{variant}: {process.stderr.read() if process.poll() is not None else ''}")
        check(time.monotonic() < end, f"{variant}: no games after {PATIENCE} s")
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    return folder


def make_tournament(narikin, folder):
    """A small cup with a test, one of its players with a hostile name."""
    config = folder.with_suffix(".toml")
    config.write_text(f"""variant = "micro"
games = 8
[sprt]
elo0 = 0.0
elo1 = 50.0
[[player]]
player = "alphabeta-2"
[[player]]
player = "random"
name = {json.dumps(HOSTILE)}
[[player]]
player = "uniform-8"
""")
    # Three players and no bound for the worst of them: the exit code says what the tests decided.
    played = subprocess.run([narikin, "tournament", config, "--dir", folder, "--quiet"], capture_output=True, text=True)
    check(played.returncode in (0, 1), f"tournament: {played.stderr}")
    return folder


def report(narikin, run, output, *arguments):
    command = [narikin, "report", run, "-o", output, "--json", *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# Chooses the game by its place in the page's lists, then clicks through it.
STEP_THROUGH = """
const [group, id] = arguments, byId = id => document.getElementById(id);
const choose = (select, option) => { select.value = option.value; select.dispatchEvent(new Event("change")); };
choose(byId("group"), [...byId("group").options].find(option => option.value === group));
choose(byId("game"), [...byId("game").options].find(option => option.textContent.startsWith(`#${id} `)));
const fens = [byId("fen").value];
while (!byId("next").disabled) { byId("next").click(); fens.push(byId("fen").value); }
return fens;
"""


def compare_games(browser, summary):
    plies = 0
    for game in summary["games"]:
        shown = browser.script(STEP_THROUGH, game["group"], game["game_id"])
        for ply, (page, rules) in enumerate(zip(shown, game["fens"])):
            check(page == rules, f"game {game['game_id']}, ply {ply}: the page shows {page}, the rules say {rules}")
        check(len(shown) == len(game["fens"]), f"game {game['game_id']}: {len(shown)} positions instead of {len(game['fens'])}")
        plies += len(shown)
    return plies


def check_pieces(browser, fen, hands):
    """As many pieces as the FEN has; those of the second player turned round, but not in xiangqi."""
    board, hand = fen.split(" ")[0].split("[")[0], fen.partition("[")[2].partition("]")[0]
    count, turned = browser.script("""return [document.querySelectorAll("#board .piece").length,
        document.querySelectorAll("#board .piece > [transform='rotate(180)']").length];""")
    pieces = sum(map(str.isalpha, board)) + len(set(hand) - {"-"})
    lower = sum(map(str.islower, board)) + len({letter for letter in hand if letter.islower()})
    check(count == pieces, f"{count} pieces are drawn for {fen}")
    check(turned == (lower if hands else 0), f"{turned} pieces are turned round for {fen}")


def check_steps(browser, fens):
    """Buttons, keys and slider by real input."""
    value = lambda: browser.script("return document.getElementById('fen').value")
    browser.click("#first")
    check(value() == fens[0], "the first button goes to the start")
    browser.click("#next")
    check(value() == fens[1], "the next button goes one ply on")
    browser.script("document.activeElement.blur()")
    browser.key("\ue014")  # arrow right
    check(value() == fens[2], "the right arrow goes one ply on")
    browser.key("\ue012")  # arrow left
    check(value() == fens[1], "the left arrow goes one ply back")
    browser.script("const slider = document.getElementById('slider'); slider.value = 2; slider.dispatchEvent(new Event('input'));")
    check(value() == fens[2], "the slider goes where it stands")
    browser.key("\ue010")  # end
    check(value() == fens[-1], "the end key goes to the end")


# What stands around the first figure that is none.
WRONG_FIGURE = """
const text = document.body.innerHTML.replace(/<script[^]*/, ""), at = text.search(/NaN|undefined|Infinity/);
return at < 0 ? null : text.slice(Math.max(0, at - 200), at + 50);
"""


def check_switches(browser, shots, name):
    """Both themes, both languages, kanji and letters, narrow and wide; no empty words, no wrong figures."""
    background = lambda: browser.script("return getComputedStyle(document.body).backgroundColor")
    light = {}
    for theme in ["light", "dark"]:
        browser.click(f"[data-theme-is={theme}]")
        light[theme] = sum(map(int, re.findall(r"\d+", background())[:3]))
        for width in [420, 1400]:
            browser.resize(width, 1000)
            overflow = browser.script("return document.documentElement.scrollWidth - window.innerWidth")
            check(overflow <= 0, f"{width} px: the page is {overflow} px too wide")
            keep_shot(browser, shots, f"{name}-{theme}-{width}")
    check(light["light"] > 600 > 150 > light["dark"], f"backgrounds: {light}")
    words = {}
    for lang in ["ja", "en"]:
        browser.click(f"button[data-lang={lang}]")
        words[lang] = browser.script("return document.getElementById('games-title').textContent")
    check(words == {"ja": "棋譜", "en": "Games"}, f"headings: {words}")
    text = "return [...document.querySelectorAll('#board .piece text')].map(node => node.textContent).join('')"
    browser.click("[data-pieces=kanji]")
    kanji = browser.script(text)
    browser.click("[data-pieces=letters]")
    letters = browser.script(text)
    check(not kanji.isascii() and letters.isascii(), f"pieces: {kanji} and {letters}")
    wrong = browser.script(WRONG_FIGURE)
    check(wrong is None, f"figures are figures: …{wrong}…")
    empty = browser.script("return [...document.querySelectorAll('h2, h3, button, label')].filter(node => !node.textContent.trim()).length")
    check(empty == 0, f"{empty} headings or buttons without words")


def check_charts(browser, cards):
    count = browser.script("return document.querySelectorAll('#charts figure').length")
    check(count == cards, f"{count} charts instead of {cards}")
    reach = "[...document.querySelectorAll('#charts svg')].find(svg => svg.querySelector('polyline'))"
    browser.script(f"{reach}.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}))")
    tip = browser.script("return [...document.querySelectorAll('.tip')].filter(tip => !tip.hidden).map(tip => tip.textContent)")
    check(len(tip) == 1 and re.search(r"\d", tip[0]), f"figures at a point of a chart: {tip}")


def check_tables(browser, folder):
    """Standings and crosstable of a tournament as its ratings.csv has them."""
    with open(folder / "ratings.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = browser.script("""return [...document.querySelectorAll('#verdict table')].map(table =>
        [...table.querySelectorAll('tbody tr')].map(row => [...row.children].map(cell => cell.textContent)));""")
    check([len(table) for table in shown] == [len(rows)] * 2, f"standings and crosstable: {shown}")
    for row, cells in zip(rows, shown[0]):
        told = [f"{row['rank']}. {row['name']}", f"{float(row['elo']):+.0f}"]
        check([cells[0], cells[1].replace("−", "-")] == told or round(float(row["elo"])) == 0, f"{cells}, expected {told}")
    lines = browser.script("return document.querySelectorAll('#charts polyline').length")
    check(lines == 2 + 3, f"{lines} lines: the bounds of the test and a path for each two players")


def keep_shot(browser, shots, name):
    if shots:
        import base64
        height = browser.script("return document.documentElement.scrollHeight")
        browser.resize(browser.script("return window.innerWidth"), height + 10)
        shots.mkdir(parents=True, exist_ok=True)
        (shots / f"{name}.png").write_bytes(base64.b64decode(browser.call("GET", "/screenshot")))


def check_quiet(browser, name):
    errors = [entry["message"] for entry in browser.log("browser")]
    check(not errors, f"{name}: console: {errors}")
    events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    foreign = [url for url in urls if not url.startswith("file:")]
    check(not foreign, f"{name}: requests: {foreign}")


def main():
    narikin, runs = sys.argv[1], [pathlib.Path(run) for run in sys.argv[2:]]
    shots = pathlib.Path(os.environ["SHOTS"]) if os.environ.get("SHOTS") else None
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as stack:
        folder = pathlib.Path(temporary)
        for variant in VARIANTS:
            runs.append(make_run(narikin, folder / variant, variant))
        text = (ROOT / "data/variants/micro.toml").read_text().replace('name = "Micro-shogi"', f'name = "{HOSTILE}"')
        check(HOSTILE in text, "micro.toml has its name")
        hostile = folder / "hostile.toml"
        hostile.write_text(text)
        runs.append(make_run(narikin, folder / "hostile run", str(hostile)))
        last_run = runs[-1]
        runs.append(make_tournament(narikin, folder / "cup"))
        browser = Browser(folder / "profile")
        stack.callback(browser.close)
        for run in runs:
            page = folder / "report.html"
            summary = report(narikin, run, page)
            check(summary["games"] and not summary["faults"], f"{run}: {summary['faults'] or 'no games'}")
            browser.resize(1400, 1000)
            browser.open(page)
            plies = compare_games(browser, summary)
            fens = summary["games"][-1]["fens"]
            check_pieces(browser, fens[-1], "[" in fens[0])
            check_steps(browser, fens)
            check_switches(browser, shots, run.name)
            cup = (run / "tournament.toml").exists()
            check_charts(browser, 3 if cup else 8)
            if cup:
                check_tables(browser, run)
            check(browser.script("return window.pwned") is None, f"{run}: text became script")
            check_quiet(browser, run.name)
            print(f"browser-test: {run.name}: {len(summary['games'])} games, {plies} positions as the rules have them", flush=True)
        empty = folder / "empty"
        (empty / "games").mkdir(parents=True)
        for name in ["config.toml", "variant.toml"]:
            (empty / name).write_bytes((last_run / name).read_bytes())
        check(report(narikin, empty, page)["games"] == [], "a run that has just begun has no games")
        browser.open(page)
        hidden = browser.script("return ['viewer', 'no-games'].map(id => document.getElementById(id).hidden)")
        check(hidden == [True, False], f"a run without games: {hidden}")
        check_quiet(browser, "empty")
        for lang, pieces in [("en", "letters"), ("ja", "kanji")]:
            report(narikin, last_run, page, "--lang", lang, "--games", "1")
            browser.open(page)
            shown = browser.script("""return [document.documentElement.lang, DATA.games.length,
                document.querySelector('[data-pieces][aria-pressed=true]').dataset.pieces]""")
            check(shown == [lang, 1, pieces], f"--lang {lang} --games 1: {shown}")
        check(browser.script("return document.getElementById('subtitle').textContent") == HOSTILE, "a name is shown as it is")
    print("browser-test: good")


if __name__ == "__main__":
    main()
