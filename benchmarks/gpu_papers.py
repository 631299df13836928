"""The parts of the reproductions that need a GPU; each writes small files that `benchmarks.reproductions` reads.

    PYTHONPATH=src python3 -m benchmarks.gpu_papers folds --inputs gpu_inputs --out OUT --minutes 6
    PYTHONPATH=src python3 -m benchmarks.gpu_papers information --inputs gpu_inputs --out OUT --minutes 7
    PYTHONPATH=src python3 -m benchmarks.gpu_papers perplexity --inputs gpu_inputs --out OUT
    PYTHONPATH=src python3 -m benchmarks.gpu_papers toy --out OUT

`folds`: MiniLM fine-tuned under random and SDS K-means folds (Wecker et al. 2020, Tables 1 and 3). `information`: three
encoders and four training sizes on the datasets of Zhu et al. (2021). `perplexity`: loss of texts of the forecast's
evidence under SmolLM2. `benchmarks.gpu_inputs` packs the inputs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _training_studies as studies

FOLD_DATA = ("sst2_phrases", "ag_news", "trec")
FOLD_SETTINGS: dict[str, Any] = {"batch_size": 32, "learning_rate": 1e-4, "max_length": 128}
FOLD_EPOCHS = {"sst2_phrases": 2, "ag_news": 3, "trec": 4}
FILES = {"quora": "quora", "imdb": "imdb", "mnli": "mnli_dev_matched", "yelp": "yelp_reviews"}
RATES = {"minilm": (5e-5, 1e-4), "minilm-3": (1e-4, 2e-4), "scratch": (3e-4, 1e-3)}
EPOCHS = {1.0: 3, 0.5: 4, 0.25: 5, 0.125: 6}
SCRATCH_EPOCHS = 8
MAX_LENGTH = 256


def run_folds(options: argparse.Namespace) -> None:
    """Train one encoder per dataset, way to make folds, and fold; keep the predicted label of every row."""
    loaded: dict[str, tuple[studies.Study, dict[str, np.ndarray]]] = {}
    tasks = {}
    for name in FOLD_DATA:
        rows = studies.rows_of(options.inputs / "data" / f"folds-{name}.tsv.gz")
        if options.rows:
            rows = [rows[n] for n in np.random.default_rng(0).permutation(len(rows))[: options.rows]]
        methods = [column for column in rows[0] if column not in ("text", "label")]
        folds = {method: np.array([int(row[method]) for row in rows]) for method in methods}
        X, y = [row["text"] for row in rows], [row["label"] for row in rows]
        everything = np.arange(len(rows))
        loaded[name] = studies.Study(name, [str(n) for n in everything], X, y, everything, None, everything), folds
        for method, numbers in folds.items():
            for fold in np.unique(numbers):
                train, test = np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)
                study = studies.Study(name, loaded[name][0].ids, X, y, train, None, test)
                settings = FOLD_SETTINGS | {"encoder": str(options.inputs / "encoder"), "epochs": FOLD_EPOCHS[name]}
                tasks[f"{name}|{method}|{fold}"] = (study, "transformer", settings, test)
    predicted: dict[str, np.ndarray] = {}
    scores: dict[str, Any] = {}
    for key, fit in studies.side_by_side(tasks, options.processes, options.minutes):
        name, method, fold = key.split("|")
        study, folds = loaded[name]
        classes = sorted(set(study.y))
        places = np.array([classes.index(label) for label in fit["classes"]])
        codes = predicted.setdefault(f"{name}|{method}", np.full(len(study.y), -1, dtype=np.int8))
        codes[folds[method] == int(fold)] = places[fit["probabilities"].argmax(axis=1)]
        scores[key] = {"accuracy": fit["accuracy"], "seconds": fit["seconds"], "best_epoch": fit["best_epoch"]}
        print(f"{key:32s} accuracy {fit['accuracy']:.4f}  {fit['seconds']:6.1f} s", flush=True)
        save_folds(options.out, loaded, predicted, scores)


def save_folds(out: Path, loaded: dict[str, Any], predicted: dict[str, np.ndarray], scores: dict[str, Any]) -> None:
    arrays = dict(predicted)
    labels = {}
    for name, (study, folds) in loaded.items():
        labels[name] = sorted(set(study.y))
        arrays[f"{name}|gold"] = np.array([labels[name].index(label) for label in study.y], dtype=np.int8)
        arrays |= {f"{name}|{method}|folds": numbers.astype(np.int8) for method, numbers in folds.items()}
    np.savez_compressed(out / "folds.part.npz", **arrays)
    (out / "folds.part.npz").replace(out / "folds.npz")
    studies.write_json(out / "folds.json", {"labels": labels, "fits": scores})


def make_encoders(inputs: Path, folder: Path) -> dict[str, Path]:
    """Return folders of three encoders: MiniLM, its first three layers, and a small one with random weights."""
    import torch
    from transformers import AutoModel, BertConfig

    source = inputs / "encoder"
    cut, scratch = folder / "minilm-3", folder / "scratch"
    for target in (cut, scratch):
        shutil.copytree(source, target, dirs_exist_ok=True)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    (cut / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}), encoding="utf-8")
    torch.manual_seed(0)
    sizes = {"hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 1024}
    model = AutoModel.from_config(BertConfig(vocab_size=config["vocab_size"], **sizes))
    model.save_pretrained(scratch)
    return {"minilm": source, "minilm-3": cut, "scratch": scratch}


def run_information(options: argparse.Namespace) -> None:
    """Train three encoders on parts of four datasets; keep held-out probabilities of the best rate by dev loss."""
    encoders = make_encoders(options.inputs, Path(tempfile.mkdtemp(prefix="encoders-")))
    loaded, tasks = {}, {}
    for name, file in FILES.items():
        path = options.inputs / "data" / f"{file}.tsv.gz"
        shares = (0.0, 0.125) if name == "imdb" else (0.1, 1 / 9)
        loaded[name] = studies.shorten(studies.load_study(path, name, *shares, pool=name != "imdb"), options.rows)
    for size in EPOCHS:
        for name, study in loaded.items():
            assert study.dev is not None
            rows = np.concatenate([study.dev, study.test])
            taken = (
                study.train
                if size == 1
                else study.train[studies.stratified([study.y[r] for r in study.train], size, 2)]
            )
            part = studies.Study(name, study.ids, study.X, study.y, taken, study.dev, study.test)
            for encoder, rates in RATES.items():
                epochs = SCRATCH_EPOCHS if encoder == "scratch" else EPOCHS[size]
                for rate in rates:
                    settings = {"batch_size": 16, "epochs": epochs, "patience": 2, "monitor": "loss"}
                    settings |= {"learning_rate": rate, "encoder": str(encoders[encoder]), "max_length": MAX_LENGTH}
                    tasks[f"{name}|{encoder}|{size}|{rate}"] = (part, "transformer", settings, rows)
    scores: dict[str, Any] = {}
    best: dict[str, np.ndarray] = {}
    for key, fit in studies.side_by_side(tasks, options.processes, options.minutes):
        name, encoder, size, rate = key.split("|")
        score = score_fit(loaded[name], fit, len(tasks[key][0].train))
        scores[key] = {"dataset": name, "encoder": encoder, "size": float(size), "rate": float(rate), **score}
        scores[key] |= {"seconds": fit["seconds"], "best_epoch": fit["best_epoch"]}
        print(
            f"{key:34s} dev {score['dev_nll']:.3f} test {score['test_nll']:.3f} {score['test_accuracy']:.3f}",
            flush=True,
        )
        group = f"{name}|{encoder}|{size}"
        if score["dev_nll"] == min(
            value["dev_nll"] for other, value in scores.items() if other.startswith(group + "|")
        ):
            best[group] = fit["probabilities"].astype(np.float32)
            best[f"{name}|classes"] = np.array(fit["classes"])
        np.savez_compressed(options.out / "information.part.npz", **best)
        (options.out / "information.part.npz").replace(options.out / "information.npz")
        studies.write_json(options.out / "information.json", scores)


def score_fit(study: studies.Study, fit: dict[str, Any], n_train: int) -> dict[str, Any]:
    """Return accuracy and loss on dev and on test."""
    assert study.dev is not None
    score: dict[str, Any] = {"n_train": n_train}
    place = {label: number for number, label in enumerate(fit["classes"])}
    parts = {"dev": (study.dev, fit["probabilities"][: len(study.dev)])}
    parts["test"] = (study.test, fit["probabilities"][len(study.dev) :])
    for part, (rows, probabilities) in parts.items():
        codes = np.array([place[study.y[row]] for row in rows])
        gold = probabilities[np.arange(len(rows)), codes]
        score[f"{part}_accuracy"] = float((probabilities.argmax(axis=1) == codes).mean())
        score[f"{part}_nll"] = float(-np.log(np.maximum(gold, 1e-12)).mean())
        score[f"n_{part}"] = len(rows)
    return score


def unpack_blocks(kind: str, data: np.ndarray) -> np.ndarray:
    """Return the values of stored blocks of 32: Q4_1 is scale, offset and 32 half bytes, Q8_0 scale and 32 bytes."""
    if kind == "F32":
        return data.astype(np.float32)
    rows, size = len(data), {"Q4_1": 20, "Q8_0": 34}[kind]
    blocks = np.ascontiguousarray(data).reshape(rows, -1, size)
    scale = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    if kind == "Q8_0":
        values = blocks[..., 2:].copy().view(np.int8).astype(np.float32) * scale
    else:
        offset = blocks[..., 2:4].copy().view(np.float16).astype(np.float32)
        halves = blocks[..., 4:]
        values = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) * scale + offset
    return values.reshape(rows, -1)


def undo_rotation_order(weights: np.ndarray, n_heads: int) -> np.ndarray:
    """Return the rows of a query or key matrix in the order that transformers uses."""
    half = len(weights) // n_heads // 2
    return weights.reshape(n_heads, half, 2, -1).swapaxes(1, 2).reshape(weights.shape)


NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_down": "mlp.down_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "attn_k": "self_attn.k_proj",
    "attn_q": "self_attn.q_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
}
N_HEADS, N_KEY_HEADS = 9, 3


def load_model(inputs: Path) -> Any:
    """Return SmolLM2-135M with the weights of both parts."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=49152,
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=30,
        num_attention_heads=N_HEADS,
        num_key_value_heads=N_KEY_HEADS,
        max_position_embeddings=8192,
        rms_norm_eps=1e-5,
        rope_theta=100000.0,
        rope_parameters={"rope_type": "default", "rope_theta": 100000.0},
        tie_word_embeddings=True,
    )
    weights = {}
    for part in ("lm1", "lm2"):
        with np.load(inputs / part / "blocks.npz", allow_pickle=False) as stored:
            for key in stored.files:
                kind, name = key.split("|")
                values = unpack_blocks(kind, stored[key])
                pieces = name.split(".")
                if name.startswith("blk."):
                    if pieces[2] in ("attn_q", "attn_k"):
                        values = undo_rotation_order(values, N_HEADS if pieces[2] == "attn_q" else N_KEY_HEADS)
                    target = f"model.layers.{pieces[1]}.{NAMES[pieces[2]]}.weight"
                else:
                    target = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}[pieces[0]] + ".weight"
                weights[target] = torch.from_numpy(values)
    model = LlamaForCausalLM(config)
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    model.load_state_dict(weights)
    return model.eval()


def run_perplexity(options: argparse.Namespace) -> None:
    """Write the summed loss and the number of scored tokens of every sampled text."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load_model(options.inputs).to(device)
    results: dict[str, np.ndarray] = {}
    began = time.monotonic()
    with np.load(options.inputs / "lm2" / "tokens.npz", allow_pickle=False) as stored:
        samples = {name: stored[name] for name in stored.files}
    for parent in dict.fromkeys(name.split("/")[0] for name in samples):
        lengths = samples[f"{parent}/lengths"].astype(int)
        tokens = np.split(samples[f"{parent}/tokens"].astype(np.int64), np.cumsum(lengths)[:-1])
        if options.rows:
            tokens = tokens[: options.rows]
        losses = [sum_losses(model, tokens[start : start + 64], device) for start in range(0, len(tokens), 64)]
        results[f"{parent}/loss"] = np.concatenate(losses).astype(np.float32)
        results[f"{parent}/tokens"] = np.maximum(lengths[: len(tokens)] - 1, 0)
        results[f"{parent}/rows"] = samples[f"{parent}/rows"][: len(tokens)]
        value = np.exp(results[f"{parent}/loss"].sum() / max(1, results[f"{parent}/tokens"].sum()))
        print(f"{time.monotonic() - began:5.0f} s  {parent:16s} perplexity {value:9.1f}", flush=True)
        np.savez_compressed(options.out / "perplexity.npz", **results)


def sum_losses(model: Any, tokens: list[np.ndarray], device: str) -> np.ndarray:
    """Return the summed loss of each text after its first token."""
    import torch

    width = max(2, *(len(ids) for ids in tokens)) if len(tokens) > 1 else max(2, len(tokens[0]))
    ids = torch.zeros((len(tokens), width), dtype=torch.long)
    for row, text in enumerate(tokens):
        ids[row, : len(text)] = torch.from_numpy(text)
    known = torch.arange(width)[None, :] < torch.tensor([len(text) for text in tokens])[:, None]
    with torch.inference_mode():
        logits = model(ids.to(device), attention_mask=known.long().to(device)).logits.float()
        losses = torch.nn.functional.cross_entropy(
            logits[:, :-1].transpose(1, 2), ids[:, 1:].to(device), reduction="none"
        )
    return np.asarray((losses.cpu() * known[:, 1:]).sum(dim=1).numpy())


def run_toy(options: argparse.Namespace) -> None:
    """Measure the whole grid of toy datasets (Zhu et al. 2021, §3.4), one core per setting; needs no GPU."""
    from concurrent.futures import ProcessPoolExecutor
    from itertools import product

    from benchmarks.studies.information.toy import SHARES, measure_toy_gap

    grid = list(product(("sum", "and"), range(2, 11), SHARES, SHARES))
    tasks = [(*setting, 10_000, 10_000, number) for number, setting in enumerate(grid)]
    if options.rows:
        tasks = tasks[: options.rows]
    with ProcessPoolExecutor(options.processes) as pool:
        gaps = list(pool.map(measure_toy_gap, *zip(*tasks, strict=True), chunksize=4))
    rows = [
        {"g": task[0], "m": task[1], "p_x": task[2], "p_y": task[3], "gap": gap}
        for task, gap in zip(tasks, gaps, strict=True)
    ]
    studies.write_json(options.out / "toy.json", rows)
    print(f"{sum(abs(gap) < 0.04 for gap in gaps)} of {len(gaps)} within 0.04 nats; largest {max(map(abs, gaps)):.4f}")


PARTS = {"folds": run_folds, "information": run_information, "perplexity": run_perplexity, "toy": run_toy}


def main(given: Sequence[str] | None = None) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("part", choices=PARTS)
    arguments.add_argument("--inputs", type=Path, default=Path("gpu_inputs"))
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--minutes", type=float, default=6)
    arguments.add_argument("--processes", type=int, default=14)
    arguments.add_argument("--rows", type=int, help="Only this many rows, to try it out.")
    options = arguments.parse_args(given)
    options.out.mkdir(parents=True, exist_ok=True)
    PARTS[options.part](options)


if __name__ == "__main__":
    main(sys.argv[1:])
