"""Bytes of a log wherever they come from: files, pipes, gzip, UTF-16; in blocks of lines, flat memory, live pipes."""

from __future__ import annotations

import codecs
import select
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from basra_sim.errors import BadInput

BLOCK = 4 << 20
HEAD = 1 << 17
PATIENCE = 0.02  # seconds to wait for more from a pipe before what is there is handed on
LONGEST_WAIT = 0.1  # seconds after which a trickle is handed on anyway

_BINARY = {
    b"PK\x03\x04": "a ZIP or Excel file: save the sheet as CSV first",
    b"PAR1": "a Parquet file: write the decks as text, one a line",
    b"SQLite format 3": "a database: export the decks as CSV first",
    b"%PDF": "a PDF: paste the decks into a text file first",
}


class ByteSource:
    """A named source of bytes that can be looked into before it is read. `head` keeps what a pipe gave."""

    def __init__(self, name: str, opener: Callable[[], IO[bytes]], is_pipe: bool) -> None:
        self.name, self.opener, self.is_pipe = name, opener, is_pipe
        self._stream: IO[bytes] | None = None
        self._head: bytes | None = None
        self.head_is_all = False
        self.encoding_note = ""

    def head(self) -> bytes:
        """The first bytes as UTF-8 (unpacked, recoded): enough lines to recognise the form. Raises BadInput."""
        if self._head is None:
            self._stream = self.opener()
            raw = _pipe_head(self._stream) if self.is_pipe else self._stream.read(HEAD)
            self.head_is_all = len(raw) < HEAD and not self.is_pipe
            self._raw_head = raw
            self._head = b"".join(self._decoded(iter([raw])))
            for magic, meaning in _BINARY.items():
                if raw.startswith(magic):
                    raise BadInput(f"{self.name} is {meaning}")
            if b"\0" in self._head:
                raise BadInput(f"{self.name} is binary data, not text: decks are read as text, one a line")
        return self._head

    def chunks(self) -> Iterator[bytes]:
        """All bytes as UTF-8 in blocks of about BLOCK; files again from the start each time."""
        return self._decoded(self._raw_chunks())

    def _raw_chunks(self) -> Iterator[bytes]:
        self.head()
        stream, self._stream = self._stream, None
        if stream is None:
            stream = self.opener()
        else:
            yield self._raw_head if self.is_pipe else self._raw_head + stream.read(BLOCK)
        with stream:
            yield from _pipe_blocks(stream) if self.is_pipe else iter(lambda: stream.read(BLOCK), b"")

    def _decoded(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        first = next(chunks, b"")
        if first.startswith(b"\x1f\x8b"):
            self.encoding_note = "unpacked from gzip"
            unpacker = zlib.decompressobj(31)
            yield from _unzipped(unpacker, first, chunks, self.name)
        elif first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            self.encoding_note = "UTF-16 text"
            decoder = codecs.getincrementaldecoder("utf-16")("replace")
            yield decoder.decode(first).encode()
            for chunk in chunks:
                yield decoder.decode(chunk).encode()
        else:
            if first.startswith(codecs.BOM_UTF8):
                self.encoding_note = "a byte order mark (BOM) at the start, ignored"
                first = first[3:]
            yield first
            yield from chunks

    def line_blocks(self) -> Iterator[tuple[bytes, bool]]:
        """Blocks that end with a newline; the flag is True for a last block whose newline had to be added."""
        rest = b""
        only_returns = b"\n" not in self.head() and self.head().count(b"\r") > 1
        for chunk in self.chunks():
            if only_returns:
                chunk = chunk.replace(b"\r", b"\n")
            end = chunk.rfind(b"\n") + 1
            if not end:
                rest += chunk
                if len(rest) > 8 * BLOCK:
                    raise BadInput(f"{self.name} has a line of over {len(rest) >> 20} MB; write one deck a line")
                continue
            yield rest + chunk[:end], False
            rest = chunk[end:]
        if rest:
            yield rest + b"\n", True


def _unzipped(unpacker: zlib._Decompress, first: bytes, chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        yield unpacker.decompress(first)
        for chunk in chunks:
            yield unpacker.decompress(chunk)
    except zlib.error as error:
        raise BadInput(f"{name} is a damaged gzip file ({error})") from None


def _pipe_head(stream: IO[bytes]) -> bytes:
    """From a pipe only as much as is needed: three lines or 4 kB, so that a slow live stream is not held up."""
    parts = b""
    while len(parts) < 4096 and parts.count(b"\n") < 3:
        more = stream.read1(BLOCK)  # type: ignore[attr-defined]
        if not more:
            break
        parts += more
    return parts


def _pipe_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    patience = getattr(stream, "patience", PATIENCE)
    while True:
        parts = [stream.read1(BLOCK)]  # type: ignore[attr-defined]
        size = len(parts[0])
        if not size:
            return
        until = time.monotonic() + LONGEST_WAIT
        while size < BLOCK and time.monotonic() < until and select.select([stream], [], [], patience)[0]:
            more = stream.read1(BLOCK)  # type: ignore[attr-defined]
            if not more:
                break
            parts.append(more)
            size += len(more)
        yield b"".join(parts)


def open_source(source: str) -> ByteSource:
    """A path, or "-" for standard input. Raises BadInput for what is not there, is a folder or may not be read."""
    if source == "-":
        return ByteSource("standard input", lambda: sys.stdin.buffer, is_pipe=True)
    path = Path(source)
    if path.is_dir():
        raise BadInput(f"{source} is a folder; name a log file, or - for standard input")
    if not path.exists():
        raise BadInput(f"there is no file {source}")
    is_pipe = path.is_fifo() or path.is_char_device()

    def opener() -> IO[bytes]:
        try:
            return open(path, "rb")
        except OSError as error:
            raise BadInput(f"{source} cannot be read: {error.strerror}") from None

    return ByteSource(source, opener, is_pipe)
