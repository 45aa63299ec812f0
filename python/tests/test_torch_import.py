"""PyTorch is optional: dedpul does not import it, and dedpul.torch says what to install."""
import subprocess
import sys


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_torch_is_not_imported():
    done = run("import sys, dedpul; sys.exit('torch' in sys.modules)")
    assert done.returncode == 0, done.stderr


def test_message():
    done = run("import sys; sys.modules['torch'] = None; import dedpul; import dedpul.torch")
    assert "dedpul.torch needs PyTorch 1.13 or later" in done.stderr and "pip install torch" in done.stderr
