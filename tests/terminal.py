"""Runs a command on a terminal of its own and tells what it drew.

terminal.py COMMAND...: prints a JSON object: code, wall seconds until something was drawn (first), processor
seconds (cpu), and all that was written (text).
"""
import json
import os
import pty
import sys
import time

began = time.monotonic()
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    if "CLOCK" in os.environ:
        os.environ["LD_PRELOAD"] = os.environ["CLOCK"]
    os.execvp(sys.argv[1], sys.argv[1:])
first, text = None, b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # the end of a terminal
        break
    if not piece:
        break
    first = first or time.monotonic() - began
    text += piece
_, status, usage = os.wait4(child, 0)
json.dump({"code": os.waitstatus_to_exitcode(status), "first": first, "cpu": usage.ru_utime + usage.ru_stime,
           "text": text.decode(errors="replace")}, sys.stdout)
