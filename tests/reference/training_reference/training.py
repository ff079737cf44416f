"""Fifty steps of AdamW, the same for every loss."""

import torch
from transformers import get_linear_schedule_with_warmup

HYPER = {
    "steps": 50,
    "learning_rate": 1e-3,
    "betas": [0.9, 0.999],
    "epsilon": 1e-8,
    "weight_decay": 0.01,
    "warmup_steps": 5,
    "max_gradient_norm": 1.0,
}


def groups(named):
    """Decay on all but biases and layer normalisation."""
    decayed, others = [], []
    for name, parameter in named:
        bare = name.endswith("bias") or "LayerNorm" in name
        (others if bare else decayed).append(parameter)
    return [
        {"params": decayed, "weight_decay": HYPER["weight_decay"]},
        {"params": others, "weight_decay": 0.0},
    ]


def run(named, step_loss):
    """Losses, gradient norms before clipping and learning rates of each step.

    `named` are (name, parameter) pairs, `step_loss(step)` gives the loss and
    other numbers to record.
    """
    named = list(named)
    optimiser = torch.optim.AdamW(
        groups(named),
        lr=HYPER["learning_rate"],
        betas=tuple(HYPER["betas"]),
        eps=HYPER["epsilon"],
    )
    schedule = get_linear_schedule_with_warmup(optimiser, HYPER["warmup_steps"], HYPER["steps"])
    record = {"losses": [], "gradient_norms": [], "learning_rates": []}
    for step in range(HYPER["steps"]):
        optimiser.zero_grad()
        loss, more = step_loss(step)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_([p for _, p in named], HYPER["max_gradient_norm"])
        record["losses"].append(round(loss.item(), 6))
        record["gradient_norms"].append(round(norm.item(), 6))
        record["learning_rates"].append(schedule.get_last_lr()[0])
        for key, value in more.items():
            record.setdefault(key, []).append(round(value, 6))
        optimiser.step()
        schedule.step()
    return record
