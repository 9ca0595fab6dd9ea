"""The bundled sample logs: one for each known public case, made from a fixed seed, with the verdict that must come out."""

from __future__ import annotations

import gzip
import io
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.shipped import DATA
from basra_sim.shuffles.sources.deck_text import write_decks
from basra_sim.shuffles.verdict.shuffle_test import Request, run

FOLDER = DATA / "samples"


@dataclass(frozen=True)
class Sample:
    """One case: where it comes from, how its log is made, how it is tested and what must come out."""

    name: str
    case: str
    algo: str
    decks: int
    expect: str
    says: str
    seed: int = 1
    deck_size: int = 52
    start: str = "new"
    reference: str = "new"

    @property
    def file(self) -> str:
        return f"{self.name}.txt.gz"

    @property
    def path(self) -> Path:
        """Where the bundled log lies."""
        return FOLDER / self.file

    @property
    def command(self) -> str:
        """How a user tests it."""
        more = f" --deck-size {self.deck_size}" if self.deck_size != 52 else ""
        more += f" --ref {self.reference}" if self.reference != "new" else ""
        return f"basra-sim shuffle test {self.file}{more}"


@cache
def samples() -> tuple[Sample, ...]:
    """All cases, in the order of data/samples.toml."""
    entries = tomllib.loads((DATA / "samples.toml").read_text("utf-8")).items()
    return tuple(Sample(name, **fields) for name, fields in entries)


def log_bytes(sample: Sample) -> bytes:
    """The gzipped log, the same bytes every time."""
    plain = io.BytesIO()
    write_decks(Generator(sample.algo, sample.seed, sample.deck_size, sample.start).chunks(sample.decks), plain)
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0, compresslevel=9) as stream:
        stream.write(plain.getvalue())
    return packed.getvalue()


def make(folder: Path) -> list[Path]:
    """Write every sample log into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for sample in samples():
        path = folder / sample.file
        path.write_bytes(log_bytes(sample))
        paths.append(path)
    return paths


def check(sample: Sample, folder: Path = FOLDER) -> tuple[bool, str, str]:
    """Test one sample log as a user would: (as expected?, verdict, sentence and culprit)."""
    request = Request(source=str(folder / sample.file), deck_size=sample.deck_size, reference=sample.reference, workers=1)
    report = run(request)
    told = "; ".join([report.sentence, *report.culprit])
    return report.outcome.verdict == sample.expect and sample.says in told, report.outcome.verdict, told
