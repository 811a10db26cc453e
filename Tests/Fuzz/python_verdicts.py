#!/usr/bin/env python3
"""Copies JSON texts into a folder under names that say what Python's parser does.

A name begins with y_ if it accepts the text, with n_ if it rejects it, and with i_ if either is right.

python_verdicts.py TO FROM... copies all files of the folders FROM.
"""
import json
import pathlib
import shutil
import sys

LARGEST = 2**63


class Either(Exception):
    """The text is JSON that this project refuses for a documented reason."""


def pairs(found: list) -> dict:
    if len({name for name, _ in found}) < len(found) or any("\0" in name for name, _ in found):
        raise Either
    return dict(found)


def integer(text: str) -> int:
    if len(text) > 20 or not -LARGEST <= int(text) < LARGEST:
        raise Either
    return int(text)


def real(text: str) -> float:
    if float(text) in (float("inf"), float("-inf")):
        raise Either
    return float(text)


def constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def check(value: object, depth: int = 0) -> None:
    """Raises for a lone surrogate, which UTF-8 cannot express, and for deep nesting."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Either
    elif isinstance(value, (list, dict)):
        if depth > 80:
            raise Either
        for element in value:
            check(element, depth + 1)
        for element in value.values() if isinstance(value, dict) else ():
            check(element, depth + 1)


def verdict(text: bytes) -> str:
    try:
        check(json.loads(text.decode(), object_pairs_hook=pairs, parse_int=integer, parse_float=real, parse_constant=constant))
    except (Either, RecursionError):
        return "i"
    except ValueError:
        return "n"
    return "y"


def main(to: pathlib.Path, folders: list[pathlib.Path]) -> None:
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for path in (path for folder in folders for path in folder.iterdir()):
        text = path.read_bytes()
        (to / f"{verdict(text)}_{path.name}").write_bytes(text)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
