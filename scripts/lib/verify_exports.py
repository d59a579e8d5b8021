"""Reads exported nets with other people's programs, for `scripts/verify-exports`.

    verify_exports.py NARIKIN FOLDER RUN…

Exports the nets of each run into FOLDER. The .safetensors file is rebuilt in numpy from nothing but
its metadata, as an independent word on what every other file should say.
"""

import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys

import cshogi
import cshogi.dlshogi
import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open

BATCHES = (1, 7, 64)
TOLERANCE = 1e-4
POSITIONS = 10_000
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "data/examples"


def export(narikin, run, format, path, *options):
    """Exports and returns the card, whose checksum must be that of the file."""
    command = [narikin, "export", run, "--format", format, "-o", path, *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    card = json.loads(pathlib.Path(f"{path}.json").read_text())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert card["sha256"] == digest, f"{path}: the card has another checksum"
    return card


class Rebuilt:
    """A net rebuilt from a .safetensors file: the operations of its metadata, computed plainly."""

    def __init__(self, path):
        with safe_open(path, "numpy") as file:
            self.graph = json.loads(file.metadata()["graph"])
            self.weights = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}

    def __call__(self, planes):
        tensors = [planes.astype(np.float64)]
        for node in self.graph["nodes"]:
            tensors.append(self._compute(node["op"], [tensors[i] for i in node["inputs"]]))
        return {name: tensors[i] for name, i in self.graph["outputs"]}

    def _compute(self, op, inputs):
        name, parameters = next(iter(op.items())) if isinstance(op, dict) else (op, {})
        x = inputs[0]
        match name:
            case "conv":
                return self._conv(x, **parameters)
            case "linear":
                weight, bias = (self.weights[parameters[part]] for part in ("weight", "bias"))
                return x.reshape(len(x), -1) @ weight.T + bias
            case "relu":
                return np.maximum(x, 0)
            case "add":
                return x + inputs[1]
            case "pool":
                return np.concatenate([x.mean((2, 3), keepdims=True), x.max((2, 3), keepdims=True)], 1)
            case "gather":
                return x.reshape(len(x), -1)[:, self.graph["gather"]]
        raise ValueError(f"unknown operation {name}")

    def _conv(self, x, weight, bias, gain):
        kernel = self.weights[weight]
        if gain is not None:
            centred = kernel - kernel.mean((1, 2, 3), keepdims=True)
            norm = np.sqrt((centred**2).sum((1, 2, 3), keepdims=True) + 1e-6)
            kernel = centred / norm * self.weights[gain].reshape(-1, 1, 1, 1)
        pad = kernel.shape[2] // 2
        padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[2:], axis=(2, 3))
        out = np.einsum("nirfkl,oikl->norf", windows, kernel, optimize=True)
        return out + self.weights[bias].reshape(1, -1, 1, 1)


def session(path):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    opset = onnx.load(path).opset_import[0].version
    assert opset <= 17, f"{path}: operator set {opset}"
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def softmax(logits):
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def compare(what, found, expected, tolerance=TOLERANCE):
    worst = float(np.abs(found - expected).max())
    assert worst <= tolerance, f"{what}: differs by {worst}"
    return worst


def random_planes(shape, batch):
    sizes = (batch, shape["planes"], shape["ranks"], shape["files"])
    return np.random.default_rng(batch).random(sizes, dtype=np.float32)


def of_card(card, result):
    """Planes of the start position, and the priors of its legal moves (USI) by a net's outputs for them."""
    start, shape = card["start"], card["shape"]
    planes = np.zeros((1, shape["planes"], shape["ranks"], shape["files"]), np.float32)
    for place, value in start["planes"]:
        planes.flat[place] = value
    priors = softmax(result(planes)["policy"][:, start["indices"]])[0]
    return dict(zip(start["moves"], priors, strict=True))


def analysed(narikin, net, *options):
    """What our own program says of a position by one simulation: the value is that of the position after
    the best move."""
    command = [narikin, "analyze", "--model", net, "--nodes", "1", "--threads", "1", "--mate-nodes", "0"]
    command += ["--notation", "usi", "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def priors_of(answer):
    return {row["move"]: row["prior"] for row in answer["moves"]}


def same_priors(what, answer, expected):
    priors = priors_of(answer)
    assert priors.keys() == expected.keys(), what
    moves = sorted(priors)
    compare(f"{what}, priors", np.array([priors[m] for m in moves]), np.array([expected[m] for m in moves]))


def check_torchscript(narikin, run, folder, card, rebuilt):
    export(narikin, run, "torchscript", folder / "net.pt")
    module = torch.jit.load(str(folder / "net.pt"))
    length = card["shape"]["policy_len"]
    for batch in BATCHES:
        planes = random_planes(card["shape"], batch)
        found = module(torch.from_numpy(planes)).detach().numpy()
        expected = rebuilt(planes)
        compare(f"torchscript policy, batch {batch}", found[:, :length], expected["policy"])
        compare(f"torchscript wdl, batch {batch}", found[:, length:], expected["wdl"])


def check_plain(narikin, run, folder):
    """onnx, its half, TorchScript and safetensors agree, and our own program says what they say."""
    card = export(narikin, run, "safetensors", folder / "net.safetensors")
    rebuilt = Rebuilt(folder / "net.safetensors")
    plain = export(narikin, run, "onnx", folder / "net.onnx")
    export(narikin, run, "onnx", folder / "half.onnx", "--half")
    full, half = session(folder / "net.onnx"), session(folder / "half.onnx")
    for key, names in (("planes", plain["planes"]), ("policy", plain["policy"])):
        assert full.get_modelmeta().custom_metadata_map[key].split("\n") == names, key
        assert len(names) == plain["shape"][{"planes": "planes", "policy": "policy_len"}[key]]
    worst, worst_half = 0, 0
    for batch in BATCHES:
        planes = random_planes(card["shape"], batch)
        expected = rebuilt(planes)
        policy, wdl = full.run(["policy", "wdl"], {"planes": planes})
        for what, found in (("policy", policy), ("wdl", wdl)):
            worst = max(worst, compare(f"onnx {what}, batch {batch}", found, expected[what]))
        policy, wdl = half.run(["policy", "wdl"], {"planes": planes})
        for found, name in ((policy, "policy"), (wdl, "wdl")):
            error = compare(f"half {name}", softmax(found), softmax(expected[name]), 0.02)
            worst_half = max(worst_half, error)
    check_torchscript(narikin, run, folder, card, rebuilt)
    expected = of_card(card, rebuilt)
    for name in ("net.onnx", "net.safetensors"):
        same_priors(name, analysed(narikin, folder / name), expected)
    print(f"{card['variant']} ({card['encoding']}): onnx within {worst:.1e} of the rebuilt net, "
          f"half within {worst_half:.1e} in probability")
    return card["encoding"], rebuilt


def check_dlshogi(narikin, run, folder, rebuilt):
    """The contract of dlshogi: names, shapes, and the same numbers."""
    export(narikin, run, "dlshogi-onnx", folder / "dlshogi.onnx")
    net = session(folder / "dlshogi.onnx")
    ports = lambda ports: [(port.name, port.shape[1:]) for port in ports]
    assert ports(net.get_inputs()) == [("input1", [62, 9, 9]), ("input2", [57, 9, 9])]
    assert ports(net.get_outputs()) == [("output_policy", [2187]), ("output_value", [1])]
    for batch in BATCHES:
        planes = random_planes({"planes": 119, "ranks": 9, "files": 9}, batch)
        inputs = {"input1": planes[:, :62], "input2": planes[:, 62:]}
        policy, value = net.run(["output_policy", "output_value"], inputs)
        expected = rebuilt(planes)
        compare("output_policy", policy, expected["policy"])
        outcome = softmax(expected["wdl"])
        compare("output_value", value[:, 0], outcome[:, 0] + outcome[:, 1] / 2)
    check_contract(narikin, folder / "dlshogi.onnx", "dlshogi-onnx")
    print("dlshogi-onnx: names, shapes and numbers as the contract says")


def foreign_net(path, seed=1):
    """A net that others might have made by the contract of dlshogi: operator set 13, other layers."""
    rng = np.random.default_rng(seed)
    weights = {
        "w1": rng.normal(0, 0.2, (16, 62, 1, 1)),
        "w2": rng.normal(0, 0.2, (16, 57, 3, 3)),
        "wp": rng.normal(0, 0.2, (27, 16, 1, 1)),
        "wv": rng.normal(0, 0.05, (16 * 81, 1)),
    }
    nodes = [
        helper.make_node("Conv", ["input1", "w1"], ["a"]),
        helper.make_node("Conv", ["input2", "w2"], ["b"], pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["a", "b"], ["c"]),
        helper.make_node("Sigmoid", ["c"], ["d"]),
        helper.make_node("Mul", ["c", "d"], ["e"]),
        helper.make_node("Conv", ["e", "wp"], ["f"]),
        helper.make_node("Flatten", ["f"], ["output_policy"]),
        helper.make_node("Flatten", ["e"], ["g"]),
        helper.make_node("MatMul", ["g", "wv"], ["h"]),
        helper.make_node("Sigmoid", ["h"], ["output_value"]),
    ]
    floats = lambda name, *shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])
    graph = helper.make_graph(
        nodes,
        "foreign",
        [floats("input1", 62, 9, 9), floats("input2", 57, 9, 9)],
        [floats("output_policy", 2187), floats("output_value", 1)],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def check_contract(narikin, path, what):
    """Our own program says of positions what onnxruntime says with the planes and labels of cshogi."""
    net = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    board, input1, input2 = cshogi.Board(), np.empty((1, 62, 9, 9), np.float32), np.empty((1, 57, 9, 9), np.float32)
    cshogi.dlshogi.use_nyugyoku_features(False)
    positions = [cshogi.Board().sfen()] + random_positions(20, seed=2)
    compared = 0

    def evaluate():
        cshogi.dlshogi.make_input_features(board, input1[0], input2[0])
        return net.run(["output_policy", "output_value"], {"input1": input1, "input2": input2})

    for sfen in positions:
        board.set_sfen(sfen)
        moves = list(board.legal_moves)
        if not moves:
            continue
        policy, _ = evaluate()
        labels = [cshogi.dlshogi.make_move_label(move, board.turn) for move in moves]
        expected = dict(zip(map(cshogi.move_to_usi, moves), softmax(policy[:, labels])[0], strict=True))
        answer = analysed(narikin, path, "--fen", sfen)
        same_priors(f"{what}, {sfen}", answer, expected)
        if any(row["proven"] for row in [answer, *answer["moves"]]):
            continue  # A mate is worth more than what the net says.
        board.push_usi(answer["best"])
        _, value = evaluate()
        chances = np.array([answer["wdl"][part] for part in ("win", "draw", "loss")])
        compare(f"{what}, {sfen}, value", chances, np.array([1 - value[0, 0], 0, value[0, 0]]))
        compared += 1
    assert compared > len(positions) // 2, "hardly a value was compared"
    print(f"{what}: priors of {len(positions)} positions and values of {compared} are those of onnxruntime and cshogi")


def check_examples(narikin, run, folder):
    """The examples run, and say what our own program says."""
    folder = folder / "examples"
    folder.mkdir()
    card = export(narikin, run, "onnx", folder / "net.onnx")
    python = lambda *args: subprocess.run([sys.executable, *args], check=True, capture_output=True, text=True).stdout
    said = python(EXAMPLES / "best_move.py", folder / "net.onnx")
    priors = priors_of(analysed(narikin, folder / "net.onnx"))
    best = max(priors, key=priors.get)
    assert f"best {best} with {priors[best]:.1%}" in said and card["start"]["fen"] in said, said
    said = python(EXAMPLES / "plot_run.py", run, folder / "run.png")
    assert (folder / "run.png").read_bytes().startswith(b"\x89PNG"), said
    assert os.path.getsize(folder / "run.png") > 20_000, said
    print("the examples run:", said.strip().removeprefix(str(folder)))


def random_positions(count, seed=1):
    """Positions of random games, by cshogi."""
    chance, board, positions = random.Random(seed), cshogi.Board(), []
    while len(positions) < count:
        moves = list(board.legal_moves)
        if not moves or board.move_number > 300:
            board.reset()
            continue
        positions.append(board.sfen())
        board.push(chance.choice(moves))
    return positions


def check_encoding(narikin):
    """Planes and labels of random positions are those of cshogi."""
    cshogi.dlshogi.use_nyugyoku_features(False)
    positions = random_positions(POSITIONS)
    command = [narikin, "moves", "--variant", "shogi", "--stdin", "--encoding", "dlshogi", "--notation", "usi"]
    answers = subprocess.run(command, input="\n".join(positions), capture_output=True, text=True, check=True)
    board = cshogi.Board()
    input1, input2 = np.empty((62, 9, 9), np.float32), np.empty((57, 9, 9), np.float32)
    labels = 0
    for sfen, line in zip(positions, answers.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        board.set_sfen(sfen)
        cshogi.dlshogi.make_input_features(board, input1, input2)
        planes = np.zeros(119 * 81, np.float32)
        for place, value in answer["planes"]:
            planes[place] = value
        assert (planes == np.concatenate([input1.ravel(), input2.ravel()])).all(), sfen
        ours = dict(zip(answer["moves"], answer["indices"], strict=True))
        theirs = {
            cshogi.move_to_usi(move): cshogi.dlshogi.make_move_label(move, board.turn)
            for move in board.legal_moves
        }
        assert ours == theirs, sfen
        labels += len(ours)
    print(f"planes of {len(positions)} positions and {labels} labels are those of cshogi")


def main():
    narikin, folder, *runs = sys.argv[1:]
    folder = pathlib.Path(folder)
    check_encoding(narikin)
    foreign_net(folder / "foreign.onnx")
    check_contract(narikin, folder / "foreign.onnx", "a net of another's making")
    check_examples(narikin, runs[0], folder)
    for run in runs:
        encoding, rebuilt = check_plain(narikin, run, folder)
        if encoding == "dlshogi":
            check_dlshogi(narikin, run, folder, rebuilt)


main()
