"""The objectives as sentence-transformers has them, or as plain PyTorch where
it lacks an option; each under medsift's configuration."""

import torch
from sentence_transformers.sentence_transformer import losses
from sentence_transformers.util import pairwise_cos_sim, pairwise_dot_score
from torch import nn

TRIPLET = losses.TripletDistanceMetric
BATCH = losses.BatchHardTripletLossDistanceFunction


class MaskedRanking(nn.Module):
    """Ranking whose false negatives are left out: candidates whose cosine, by
    the teacher or by the model itself, exceeds the positive's by the margin."""

    def __init__(self, model, temperature, margin, teacher=None):
        super().__init__()
        self.model, self.temperature, self.margin, self.teacher = model, temperature, margin, teacher

    def forward(self, features, labels):
        columns = [self.model(f)["sentence_embedding"] for f in features]
        cosines = self.cosines(columns)
        guide = cosines.detach() if self.teacher is None else self.cosines(self.teacher)
        own = torch.arange(len(cosines))
        hidden = guide > guide[own, own].unsqueeze(1) + self.margin
        hidden[own, own] = False
        return nn.functional.cross_entropy(
            (cosines / self.temperature).masked_fill(hidden, -torch.inf), own
        )

    @staticmethod
    def cosines(columns):
        unit = [nn.functional.normalize(column, dim=1) for column in columns]
        return unit[0] @ torch.cat(unit[1:]).T


class ListwiseOverBatch(nn.Module):
    """Listwise distillation whose student ranks the passages of the whole batch;
    those of other examples have no share in the teacher's ranking."""

    def __init__(self, model, temperature, teacher_temperature):
        super().__init__()
        self.model, self.temperature = model, temperature
        self.teacher_temperature = teacher_temperature

    def forward(self, features, labels):
        columns = [self.model(f)["sentence_embedding"] for f in features]
        rows, passages = labels.shape
        cosines = MaskedRanking.cosines(columns)
        teacher = torch.zeros_like(cosines)
        shares = nn.functional.softmax(labels / self.teacher_temperature, dim=1)
        for column in range(passages):
            for row in range(rows):
                teacher[row, column * rows + row] = shares[row, column]
        student = nn.functional.log_softmax(cosines / self.temperature, dim=1)
        return nn.functional.kl_div(student, teacher, reduction="batchmean")


class Relational(nn.Module):
    """The student's similarities of each query with all passages of the batch
    against those of a teacher's embeddings."""

    def __init__(self, model, temperature, teacher_temperature, teacher):
        super().__init__()
        self.model, self.temperature = model, temperature
        self.teacher_temperature, self.teacher = teacher_temperature, teacher

    def forward(self, features, labels):
        columns = [self.model(f)["sentence_embedding"] for f in features]
        student = MaskedRanking.cosines(columns) / self.temperature
        teacher = MaskedRanking.cosines(self.teacher) / self.teacher_temperature
        return nn.functional.kl_div(
            student.log_softmax(1), teacher.log_softmax(1), reduction="batchmean", log_target=True
        )


class Scaled(nn.Module):
    """Another loss times a number."""

    def __init__(self, inner, factor):
        super().__init__()
        self.inner, self.factor = inner, factor

    def forward(self, features, labels):
        return self.inner(features, labels) * self.factor


class Relabelled(nn.Module):
    """Another loss whose labels are brought to its range first."""

    def __init__(self, inner, change):
        super().__init__()
        self.inner, self.change = inner, change

    def forward(self, features, labels):
        return self.inner(features, self.change(labels))


def ranking(model, config, teacher):
    temperature = config["temperature"]
    if "mask_margin" in config:
        return MaskedRanking(model, temperature, config["mask_margin"], teacher)
    ways = {}
    if config.get("symmetric"):
        ways = dict(directions=("query_to_doc", "doc_to_query"), partition_mode="per_direction")
    return losses.MultipleNegativesRankingLoss(model, scale=1 / temperature, **ways)


def cosine(model, config):
    signed = config.get("target", "signed") == "signed"
    change = (lambda y: y / 2.5 - 1) if signed else (lambda y: y / 5)
    return Relabelled(losses.CosineSimilarityLoss(model), change)


def listwise(model, config):
    temperature = config["temperature"]
    if config.get("in_batch"):
        return ListwiseOverBatch(model, temperature, config["teacher_temperature"])
    inner = losses.DistillKLDivLoss(
        model,
        similarity_fct=pairwise_cos_sim,
        student_temperature=temperature,
        teacher_temperature=config["teacher_temperature"],
    )
    # Its factor temperature² is left out in medsift.
    return Scaled(inner, temperature**-2)


def graded(model, config):
    kinds = {"cosine": losses.CoSENTLoss, "angle": losses.AnglELoss}
    return kinds[config["similarity"]](model, scale=config["scale"])


def batch_triplet(model, config):
    kinds = {"hard": losses.BatchHardTripletLoss, "semi_hard": losses.BatchSemiHardTripletLoss}
    metrics = {"euclidean": BATCH.euclidean_distance, "cosine": BATCH.cosine_distance}
    return kinds[config["mining"]](
        model, distance_metric=metrics[config["distance"]], margin=config["margin"]
    )


def triplet(model, config):
    metrics = {"euclidean": TRIPLET.EUCLIDEAN, "cosine": TRIPLET.COSINE}
    return losses.TripletLoss(
        model, distance_metric=metrics[config["distance"]], triplet_margin=config["margin"]
    )


def build(model, config, dimension, teacher=None):
    """The loss of a configuration; its forward takes features and labels."""
    kind = config["kind"]
    if kind == "softmax":
        return losses.SoftmaxLoss(model, dimension, config.get("classes", 3))
    if kind == "cosine":
        return cosine(model, config)
    if kind == "triplet":
        return triplet(model, config)
    if kind == "batch_triplet":
        return batch_triplet(model, config)
    if kind == "ranking":
        return ranking(model, config, teacher)
    if kind == "distillation":
        return losses.MSELoss(model, projection_dim=config.get("teacher_dimension"))
    if kind == "margin_mse":
        similarity = {"dot": pairwise_dot_score, "cosine": pairwise_cos_sim}
        return losses.MarginMSELoss(model, similarity_fct=similarity[config["similarity"]])
    if kind == "listwise":
        return listwise(model, config)
    if kind == "relational":
        return Relational(model, config["temperature"], config["teacher_temperature"], teacher)
    if kind == "graded":
        return graded(model, config)
    if kind == "matryoshka":
        inner = build(model, config["inner"], dimension, teacher)
        return losses.MatryoshkaLoss(
            model, inner, config["dimensions"], config.get("weights") or None
        )
    raise ValueError(kind)


def labels_tensor(labels):
    """Labels as the losses take them; labels are {"classes"|"scores"|"lists"|"teacher": …}."""
    if "classes" in labels:
        return torch.tensor(labels["classes"])
    if "scores" in labels:
        return torch.tensor(labels["scores"], dtype=torch.get_default_dtype())
    if "lists" in labels:
        return torch.tensor(labels["lists"], dtype=torch.get_default_dtype())
    if "teacher" in labels:
        # batch × columns × dimension
        return torch.tensor(labels["teacher"], dtype=torch.get_default_dtype()).transpose(0, 1)
    return torch.zeros(0)


def parameters(loss, kind):
    """Parameters beside the encoder, under medsift's names."""
    if kind == "softmax":
        layer, name = loss.classifier, "classifier"
    elif kind == "distillation" and loss.projection is not None:
        layer, name = loss.projection, "projection"
    else:
        return {}
    return {f"{name}.weight": layer.weight, f"{name}.bias": layer.bias}
