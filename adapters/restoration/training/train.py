"""Trains the restorer; ../model/README.md says how. The same arguments give the same steps on the same machine.

The schedule is a constant rate followed by a decay to zero. With --minutes the decay begins when 70 % of the time is used,
and the log names the two step numbers, which --decay-at and --steps repeat exactly.
"""

import argparse
import copy
import json
import math
import os
import time

import numpy as np
import torch
from damage import damaged
from model import Restorer, export
from PIL import Image

PATCH = 40
PER_DRAWING = 4
VALIDATION = 120
BATCH = 16
RATE = 1e-3
EMA = 0.999


def sizes_in(folder):
    with open(os.path.join(folder, "drawings.json"), encoding="utf8") as file:
        return json.load(file)


def drawings_in(folder):
    """Every drawing as an RGB Image of twice the size, one by one, in the order of their numbers."""
    with open(os.path.join(folder, "drawings.rgb"), "rb") as pixels:
        for width, height in sizes_in(folder):
            yield Image.frombytes("RGB", (width, height), pixels.read(width * height * 3))


def place_of_patch(original, rng):
    """The more detailed of two places: empty paper teaches little."""
    best, best_detail = None, -1.0
    for _ in range(2):
        left = int(rng.integers(0, original.shape[1] // 2 - PATCH + 1))
        top = int(rng.integers(0, original.shape[0] // 2 - PATCH + 1))
        part = original[2 * top : 2 * (top + PATCH), 2 * left : 2 * (left + PATCH)]
        detail = float(part[::4, ::4].std())
        if detail > best_detail:
            best, best_detail = (left, top), detail
    return best


def load(folder, rng):
    """(small patches, large patches, whole pictures for validation)"""
    drawings = drawings_in(folder)
    kept = [next(drawings) for _ in range(VALIDATION)]
    count = (len(sizes_in(folder)) - VALIDATION) * PER_DRAWING
    small = np.empty((count, PATCH, PATCH, 3), np.uint8)
    large = np.empty((count, 2 * PATCH, 2 * PATCH, 3), np.uint8)
    at = 0
    for original in drawings:
        whole, half = np.asarray(original), np.asarray(damaged(original, rng))
        for _ in range(PER_DRAWING):
            left, top = place_of_patch(whole, rng)
            small[at] = half[top : top + PATCH, left : left + PATCH]
            large[at] = whole[2 * top : 2 * (top + PATCH), 2 * left : 2 * (left + PATCH)]
            at += 1
    return small, large, [(damaged(original, rng), original) for original in kept]


def tensor(patches):
    return torch.from_numpy(np.ascontiguousarray(patches)).permute(0, 3, 1, 2).float().div_(255)


def psnr(a, b):
    return -10 * math.log10(max(1e-10, float(np.mean((a.astype(np.float64) - b.astype(np.float64)) ** 2)) / 65025))


def measure(model, pairs):
    """The mean PSNR of the restored pictures and of the same pictures enlarged by Lanczos."""
    ours, lanczos = [], []
    with torch.no_grad():
        for half, original in pairs:
            truth = np.asarray(original)
            answer = model(tensor(np.array(half)[None]))[0].permute(1, 2, 0).clamp(0, 1).mul(255).round().byte()
            ours.append(psnr(answer.numpy(), truth))
            lanczos.append(psnr(np.asarray(half.resize(original.size, Image.LANCZOS)), truth))
    return float(np.mean(ours)), float(np.mean(lanczos))


def loss_of(answer, truth):
    """L1, where the drawing has an edge up to three times as much."""
    with torch.no_grad():
        across = (truth[:, :, :, 1:] - truth[:, :, :, :-1]).abs().amax(1, keepdim=True)
        down = (truth[:, :, 1:, :] - truth[:, :, :-1, :]).abs().amax(1, keepdim=True)
        weight = torch.ones_like(truth[:, :1])
        weight[:, :, :, 1:] += 2 * across
        weight[:, :, 1:, :] = torch.maximum(weight[:, :, 1:, :], 1 + 2 * down)
    return ((answer - truth).abs() * weight).mean()


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", required=True)
    ask.add_argument("--out", required=True)
    ask.add_argument("--seed", type=int, default=10)
    ask.add_argument("--features", type=int, default=32)
    ask.add_argument("--layers", type=int, default=8)
    ask.add_argument("--threads", type=int, default=2)
    ask.add_argument("--minutes", type=float)
    ask.add_argument("--decay-at", type=int)
    ask.add_argument("--steps", type=int)
    ask.add_argument("--start-from", help="weights to go on from")
    chosen = ask.parse_args()

    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    rng = np.random.default_rng(chosen.seed)
    begun = time.time()
    small, large, validation = load(chosen.data, rng)
    print(f"{len(small)} patches in {time.time() - begun:.0f} s", flush=True)

    model = Restorer(chosen.features, chosen.layers).to(memory_format=torch.channels_last)
    if chosen.start_from:
        model.load_state_dict(torch.load(chosen.start_from))
    average = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    step, decay_at, steps = 0, chosen.decay_at, chosen.steps
    best, running, begun, told = -1.0, 0.0, time.time(), time.time()
    while steps is None or step < steps:
        used = (time.time() - begun) / 60
        if decay_at is None and used > 0.7 * chosen.minutes:
            decay_at, steps = step, step + max(1, round(step * 0.3 / 0.7))
            print(f"to repeat: --decay-at {decay_at} --steps {steps}", flush=True)
        rate = RATE * min(1, (step + 1) / 200)
        if decay_at is not None and step >= decay_at:
            rate *= 0.5 + 0.5 * math.cos(math.pi * (step - decay_at) / (steps - decay_at))
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen_patches = rng.integers(0, len(small), BATCH)
        x, y = tensor(small[chosen_patches]), tensor(large[chosen_patches])
        if rng.random() < 0.5:
            x, y = x.flip(3), y.flip(3)
        if rng.random() < 0.5:
            x, y = x.flip(2), y.flip(2)
        if rng.random() < 0.5:
            x, y = x.transpose(2, 3), y.transpose(2, 3)
        x = x.contiguous(memory_format=torch.channels_last)
        loss = loss_of(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        with torch.no_grad():
            keep = min(EMA, step / (step + 10))
            for kept, new in zip(average.parameters(), model.parameters()):
                kept.mul_(keep).add_(new, alpha=1 - keep)
        running += loss.item()
        step += 1
        if step % 500 == 0 or step == steps:
            ours, lanczos = measure(average, validation)
            print(
                f"step {step} rate {rate:.1e} loss {running / 500:.5f} psnr {ours:.2f} lanczos {lanczos:.2f} "
                f"gain {ours - lanczos:+.2f} {(time.time() - begun) / 60:.1f} min {(time.time() - told) * 2:.0f} ms/step",
                flush=True,
            )
            running, told = 0.0, time.time()
            if ours > best:
                best = ours
                torch.save(average.state_dict(), os.path.join(chosen.out, "best.pt"))
                export(copy.deepcopy(average).to(memory_format=torch.contiguous_format), os.path.join(chosen.out, "best.onnx"))


if __name__ == "__main__":
    main()
