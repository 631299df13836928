"""The networks trained side by side are those of `assay.models`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).parents[3]))
from benchmarks import evidence_networks as side_by_side  # noqa: E402


def draws(n):
    return [torch.Generator().manual_seed(seed) for seed in range(n)]


def words(n=2, batch=5, length=9):
    draw = np.random.default_rng(0)
    found = draw.integers(1, 40, (n, batch, length))
    lengths = draw.integers(1, length + 1, (n, batch))
    lengths[:, 0] = length
    return torch.from_numpy(np.where(np.arange(length) < lengths[..., None], found, 0))


def table():
    made = torch.from_numpy(np.random.default_rng(1).normal(0, 0.1, (40, 12)).astype(np.float32))
    made[0] = 0
    return made


def alone(kind, number, ours, **more):
    from assay.models.neural.training import networks

    seen = ours.table.detach().numpy()
    network = getattr(networks, kind)((seen, np.zeros((0, 12), np.float32)), 0.0, (1, 3), **more).eval()
    network.head.weight.data = ours.head[number].t().data
    return network


def test_the_cnn_gives_the_logits_of_the_models_room():
    ours = side_by_side.CNN(table(), (2, 1, 3), 0.0, 4, draws(2)).eval()
    ours.bias.data.normal_()
    logits, _ = ours(words())
    for number in range(2):
        network = alone("CNN", number, ours, widths=(1, 3, 5), n=4)
        network.head.bias.data.zero_()
        start = 0
        for place, (layer, width) in enumerate(zip(network.filters, (1, 3, 5), strict=True)):
            filters = ours.filters[number, :, start : start + 4 * width].view(12, width, 4)
            layer.weight.data = filters.permute(2, 0, 1).contiguous().data
            layer.bias.data = ours.bias[number, 0, 0, 4 * place : 4 * place + 4].data
            start += 4 * width
        assert torch.allclose(network(words()[number])[0], logits[number], atol=1e-5)


def lstm_alone(kind, number, ours, **more):
    network = alone(kind, number, ours, hidden=6, **more)
    network.head.bias.data.zero_()
    order = [*range(12), *range(18, 24), *range(12, 18)]  # torch: in, forget, new, out
    for direction, ending in enumerate(("", "_reverse")):
        into, within, bias = ours.into[direction, number], ours.within[direction, number], ours.bias[direction, number]
        getattr(network.recurrent, f"weight_ih_l0{ending}").data = into[:, order].t().contiguous().data
        getattr(network.recurrent, f"weight_hh_l0{ending}").data = within[:, order].t().contiguous().data
        getattr(network.recurrent, f"bias_ih_l0{ending}").data = bias[order].data
        getattr(network.recurrent, f"bias_hh_l0{ending}").data.zero_()
    return network


def test_the_lstm_gives_the_logits_and_gradients_of_the_models_room():
    ours = side_by_side.LSTM(table(), (2, 1, 3), 0.0, 6, draws(2))
    ours.bias.data.normal_()
    logits, _ = ours(words())
    logits[0].square().sum().backward()
    network = lstm_alone("LSTM", 0, ours)
    theirs = network(words()[0])[0]
    theirs.square().sum().backward()
    assert torch.allclose(theirs, logits[0], atol=1e-5)
    assert torch.allclose(network.embedding.weight.grad[1:], ours.table.grad[1:], atol=1e-5)
    order = [*range(12), *range(18, 24), *range(12, 18)]
    within = ours.within.grad[1, 0][:, order].t()
    assert torch.allclose(network.recurrent.weight_hh_l0_reverse.grad, within, atol=1e-5)
    assert not ours.within.grad[:, 1].any()  # another dataset's rows do not matter


def test_the_lstm_with_attention_gives_the_logits_and_penalty_of_the_models_room():
    ours = side_by_side.LSTMAttention(table(), (2, 1, 3), 0.0, 6, draws(2)).eval()
    logits, penalty = ours(words())
    for number in range(2):
        network = lstm_alone("LSTMAttention", number, ours, attention=(128, 8, 0.03))
        network.inner.weight.data = ours.inner[number].t().contiguous().data
        network.outer.weight.data = ours.outer[number].t().contiguous().data
        theirs, theirs_penalty = network(words()[number])
        assert torch.allclose(theirs, logits[number], atol=1e-5)
        assert torch.allclose(theirs_penalty, penalty[number], atol=1e-5)


def test_the_encoder_gives_the_vectors_of_transformers():
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=40, hidden_size=24, num_hidden_layers=2, num_attention_heads=12, intermediate_size=30,
        max_position_embeddings=16, layer_norm_eps=1e-12, pad_token_id=0,
    )  # fmt: skip
    bert = transformers.BertModel(config).eval()
    ours = side_by_side.Encoder(dict(bert.state_dict()), 2, 3, draws(2)).eval()
    ids = words()
    types = (torch.arange(9) > 4).long().expand_as(ids) * (ids > 0)
    vectors = ours.encode(ids, types)
    for number in range(2):
        mask = ids[number] > 0
        states = bert(ids[number], attention_mask=mask.long(), token_type_ids=types[number]).last_hidden_state
        mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        assert torch.allclose(mean, vectors[number], atol=1e-4)
