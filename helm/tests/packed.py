"""Renders the packed chart of a release, which must run the image of its own version.

    python helm/tests/packed.py CHART.tgz VERSION
"""

import re
import sys
import tarfile
import tempfile
from pathlib import Path

import helm_python
import yaml

VALUES = Path(__file__).resolve().parents[1] / "cityguide/ci/single.yaml"

archive, version = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    with helm_python.Chart.load(f"{folder}/cityguide") as chart:
        rendered = chart.render(yaml.safe_load(VALUES.read_text()), name="city", namespace="guide")
images = {image for text in rendered.values() for image in re.findall(r"image: \"?([^\s\"]+)", text)}
wanted = {image for image in images if image.endswith(f":{version}")}
if not images or images != wanted:
    sys.exit(f"the chart runs {sorted(images)} instead of images of {version}")
