#!/usr/bin/env python3
"""The best move of the start position by an exported net: best_move.py NET.onnx

Needs `pip install onnxruntime`, and the card that `narikin export` wrote beside the net. For other
positions, `narikin moves --encoding variant --json` prints the same numbers.
"""

import json
import sys

import numpy as np
import onnxruntime

net = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
with open(sys.argv[1] + ".json") as file:
    card = json.load(file)
shape, start = card["shape"], card["start"]
planes = np.zeros((1, shape["planes"], shape["ranks"], shape["files"]), np.float32)
for place, value in start["planes"]:
    planes.flat[place] = value
policy, wdl = (row[0] for row in net.run(["policy", "wdl"], {"planes": planes}))
logits = policy[start["indices"]]  # Of the legal moves.
chances, outcome = (np.exp(x - x.max()) / np.exp(x - x.max()).sum() for x in (logits, wdl))
best = chances.argmax()
print(f"{card['variant']}, {start['fen']}")
print(f"best {start['moves'][best]} with {chances[best]:.1%}; win {outcome[0]:.1%}, draw {outcome[1]:.1%}")
