"""Runs command lines one after the other, for programs that would otherwise start jigo many times.

First prints the version on one line. Then each line of standard input is ``{"words": [...],
"stderr": PATH}``: a command line without the name of the program, and the file for its standard
error. The answer is the exit code on one line.
"""

import json
import os
import sys

from jigo._jigo import __version__, command


def main() -> None:
    """Answer until standard input ends."""
    # The output of a command must not reach the program that reads the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    print(__version__, file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        standard_error = os.dup(2)
        log = os.open(request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 2)
        try:
            code = command(request["words"])
        finally:
            os.dup2(standard_error, 2)
            os.close(log)
            os.close(standard_error)
        print(code, file=answers, flush=True)


if __name__ == "__main__":
    main()
