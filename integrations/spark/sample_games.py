"""Test inputs: single files, collections in many encodings, archives of every kind, damage."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

import py7zr
import pyarrow as pa

ENCODINGS = ("utf-8-sig", "utf-16", "gbk", "big5", "shift_jis", "euc_kr", "latin-1")
"""The encodings of collections. Characters that an encoding lacks are omitted."""


def sample_games(folders: dict[Path, int], folder: Path) -> Path:
    """Copies every nth file of some folders and builds other inputs from them.

    Each game is in its own file, in a collection, in an archive of some kind, and in a collection
    that is compressed or in another encoding. Returns a collection of all games outside the folder,
    for a table.
    """
    for games, every in folders.items():
        for path in sorted(path for path in games.rglob("*") if path.is_file())[::every]:
            target = folder / "files" / games.name / path.relative_to(games)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    files = game_files(folder / "files")
    (folder / "collection.sgf").write_bytes(joined(files))
    every_kind(files, folder, shares=True)
    # A realistic file name with special characters.
    shutil.copyfile(files[len(files) // 2], folder / "100% 囲碁 #1 [a b]?{c}&d=é+.sgf")
    (folder / "broken.zip").write_bytes(b"PK\3\4 this is no archive")
    (folder / "empty.sgf").write_bytes(b"")
    (folder / "notes.txt").write_text("not read")
    # A named file without a suffix, detected by its first bytes.
    shutil.copyfile(folder / "archives" / "tar.gz.tar.gz", folder.parent / "download")
    table = folder.parent / "table"
    table.mkdir()
    shutil.copyfile(folder / "collection.sgf", table / "cut.sgf")
    return table / "cut.sgf"


def game_files(folder: Path) -> list[Path]:
    """Returns the game files below a folder, small ones first, so that each share has files of any
    size.
    """
    files = [path for path in folder.rglob("*") if path.suffix.lower() == ".sgf"]
    return sorted(files, key=lambda path: (path.stat().st_size, path))


def joined(files: list[Path]) -> bytes:
    """Joins the files to one collection."""
    return b"\n".join(path.read_bytes() for path in files)


def every_kind(files: list[Path], folder: Path, *, shares: bool) -> None:
    """Writes an archive and a collection of each kind, with all files or a share of them."""
    write_archives(files, folder / "archives", shares=shares)
    write_collections(files, folder / "collections", shares=shares)


def share(files: list[Path], number: int, of: int, *, shares: bool) -> list[Path]:
    """Returns all files, or one of ``of`` shares."""
    return files[number::of] if shares else files


def write_archives(files: list[Path], folder: Path, *, shares: bool) -> None:
    """Writes an archive of each kind, and one nested archive."""
    folder.mkdir(parents=True)
    tars = ["tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz", "tar.zst", "tzst"]
    kinds: list[tuple[str, Callable[[Path, list[Path]], None]]] = [(ending, write_tar) for ending in tars]
    methods = {"stored": zipfile.ZIP_STORED, "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}
    kinds += [(f"{name}.zip", partial(write_zip, method=method)) for name, method in methods.items()]
    kinds += [("zip", write_zip), ("ZIP", write_zip), ("7z", write_7z)]
    for number, (ending, write) in enumerate(kinds):
        write(folder / f"{ending}.{ending}", share(files, number, len(kinds) + 1, shares=shares))
    inner = folder / "inner.7z"
    write_7z(inner, share(files, len(kinds), len(kinds) + 1, shares=shares))
    write_tar(folder / "nested.tar.xz", [inner, files[0]])
    inner.unlink()


def member(file: Path) -> str:
    """Returns the name of a file in an archive."""
    return "/".join(file.parts[-3:])


def write_tar(path: Path, files: list[Path]) -> None:
    """Writes a tar archive, compressed according to its name."""
    with packed(path) as out, tarfile.open(fileobj=out, mode="w|") as archive:
        for file in files:
            archive.add(file, member(file))


def write_zip(path: Path, files: list[Path], method: int = zipfile.ZIP_DEFLATED) -> None:
    """Writes a zip archive."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for file in files:
            archive.write(file, member(file))


def write_7z(path: Path, files: list[Path]) -> None:
    """Writes a solid 7z archive."""
    with py7zr.SevenZipFile(path, "w") as archive:
        for file in files:
            archive.write(file, member(file))


def packed(path: Path) -> BinaryIO | pa.NativeFile:
    """Opens a file for writing, compressed according to its name."""
    match path.suffix:
        case ".gz" | ".tgz":
            return gzip.open(path, "wb", 1)
        case ".bz2" | ".tbz2":
            return bz2.open(path, "wb", 1)
        case ".xz" | ".txz":
            return lzma.open(path, "wb", preset=0)
        case ".zst" | ".tzst":
            return pa.CompressedOutputStream(str(path), "zstd")
    return path.open("wb")


def write_collections(files: list[Path], folder: Path, *, shares: bool) -> None:
    """Writes collections, compressed or in another encoding, and truncated compressed ones."""
    folder.mkdir(parents=True)
    kinds = ["gz", "bz2", "xz", "zst", *ENCODINGS]
    for number, kind in enumerate(kinds):
        collection = joined(share(files, number, len(kinds), shares=shares))
        if kind in ENCODINGS:
            text = collection.decode("utf-8", "replace").encode(kind, "ignore")
            (folder / f"{kind}.sgf").write_bytes(text)
            continue
        path = folder / f"packed.sgf.{kind}"
        with packed(path) as out:
            out.write(collection)
        whole = path.read_bytes()
        (folder / f"cut.sgf.{kind}").write_bytes(whole[: len(whole) // 5])
