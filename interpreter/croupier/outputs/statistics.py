"""A figure with its interval, as every output of the lab has it."""

from pydantic import Field

from croupier.outputs.header import Part


class Estimate(Part):
    """A figure of some games, with its interval."""

    value: float | None = Field(description="the figure; null where it is of no games")
    interval: list[float | None] = Field(
        min_length=2,
        max_length=2,
        description="the ends of its interval; null where nothing is known yet, "
        "and where a mean is the same in every game",
    )
    n: int = Field(ge=0, description="how many observations it is made of: games, pairs or turns of games")
    method: str = Field(description="how the interval is made")
    confidence: float = Field(gt=0, lt=1, description="the confidence of the interval, from 0 to 1")
