"""Find or install a browser for the tests of the report's page.

A browser is taken from HIMATION_BROWSER (a path), from Playwright's own folder, or from the machine, in this order.

example:
  python tests/browser/find_browser.py installs Playwright's Chromium if no browser is found; never fails
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
MOST_SECONDS = 120
MISSING = "no browser for the report's page: run 'make browser', or set HIMATION_BROWSER to a Chromium"


def find() -> str | None:
    """The path of a browser, or None."""
    given = os.environ.get("HIMATION_BROWSER")
    if given:
        return given if Path(given).is_file() else None
    return _own() or next((path for name in NAMES if (path := shutil.which(name))), None)


def _own() -> str | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def install() -> None:
    """Let Playwright fetch its Chromium; without a network the tests are skipped."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        done = subprocess.run(command, timeout=MOST_SECONDS, capture_output=True, text=True)
        failed = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except subprocess.TimeoutExpired:
        failed = [f"not finished after {MOST_SECONDS} s"]
    if failed or not find():
        print(f"browser: none could be installed ({' '.join(failed) or 'no reason given'}); its tests are skipped")


if __name__ == "__main__":
    if not find():
        install()
    print(f"browser: {find() or 'none'}")
