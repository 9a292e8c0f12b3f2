"""Photograph parts of a report for these pages: `python docs/pictures/shoot.py PAGE verdict network ...`.

Writes report-<part>.png beside this file. The pages say which tables they show (docs/gallery.md).
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = {
    "verdict": "article.card",
    "network": "details[id$=-network]",
    "change": "details[id$=-changes] li:first-child",
    "effects": "details[id$=-effects]",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path, help="report.html")
    parser.add_argument("parts", nargs="+", choices=PARTS)
    args = parser.parse_args()
    sys.path.insert(0, str(HERE.parent.parent / "tests/browser"))
    from find_browser import find
    from playwright.sync_api import sync_playwright

    path = find()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        page = browser.new_page(viewport={"width": 1120, "height": 900}, color_scheme="light")
        page.goto(args.page.resolve().as_uri())
        page.add_style_tag(content=".take, .top { display: none }")
        for part in args.parts:
            page.locator(PARTS[part]).first.screenshot(path=HERE / f"report-{part}.png")
        browser.close()


if __name__ == "__main__":
    main()
