"""What drawn boards look like: the colours, and the pieces as outlines.

Pictures on paper, in a notebook and in the animated page show the same board, so its look is said once, here.
The board brings its own frame, dark as slate, and letters stand on the frame: so it looks the same on a
white page and on a black one. Every outline is drawn in a box of 100 × 100 around the middle of a square.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

FRAME = "#39424e"
LETTERS = "#d6dce2"
LIGHT = "#f3f1ea"
DARK = "#cfd8d9"
INK = "#26303a"
WARNING = "#c8321f"

# From blue through violet to orange: told apart by the colour-blind too, and white numbers can be read on all of it.
TRAIL = ("#1f5fae", "#5350b8", "#8a42ae", "#b03a8a", "#c23a5c", "#c04a2a")

# Where there is no room for lines, the colour alone tells the place in the tour: from dark to light in even steps of
# what the eye sees (OKLab), so the order can be read without seeing hues at all.
ALONG = ("#091259", "#3b1f71", "#6b2c7d", "#9a3b7b", "#c64e6e", "#e36f5d", "#f59753", "#fbc360", "#f7f08a")
# The same for cycles, which end where they began: pale, blue, dark, brown, pale. Blue and brown are the two hues
# that everybody tells apart.
AROUND = (
    *("#e4e4e4", "#b8d6fe", "#88bcfe", "#5f9deb", "#3c7ece", "#2160aa", "#0e4582", "#0e2e54", "#1e1f21"),
    *("#4a1d06", "#6f2b02", "#963d05", "#ba5927", "#d9794b", "#f29d76", "#fec3a9", "#e4e4e4"),
)

HORSE = (
    "M27 88C26 71 33 63 43 55C46 52 47 49 46 46C40 50 34 51 30 55C27 59 24 62 20 61C15 60 12 56 13 51"
    "C17 43 23 36 27 28C29 24 33 21 38 19L37 8L49 16C68 18 80 37 80 62C80 72 79 80 77 88Z"
)
HORSE_EYE = "M36 31a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0Z"
QUEEN = (
    "M24 68L15 37L32 54L33 26L44.5 51L50 20L55.5 51L67 26L68 54L85 37L76 68Q50 60 24 68Z"
    "M8.5 32a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z"
    "M27 21a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z"
    "M44.5 14.5a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z"
    "M62 21a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z"
    "M80.5 32a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z"
    "M25 72.5Q50 64.5 75 72.5L74 78Q50 70.5 26 78Z"
    "M21 90L24 82Q50 75 76 82L79 90Q50 85 21 90Z"
)
PAWN = (
    "M50 12a15 15 0 0 1 9.5 26.6L63 42C63 56 66 64 74 76L37 76L26 76C34 64 37 56 37 42L40.5 38.6A15 15 0 0 1 50 12Z"
    "M22 80H78V90H22Z"
)


def trail_colours(count: int, stops: Sequence[str] = TRAIL) -> list[str]:
    """Return so many colours, evenly spaced from the first stop to the last.

    Examples
    --------
    >>> trail_colours(3, ["#000000", "#2040ff"])
    ['#000000', '#102080', '#2040ff']
    """
    channels = [[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops]
    ramps = list(pairwise(channels)) or [(channels[0], channels[0])]
    colours = []
    for number in range(count):
        place = number / max(count - 1, 1) * len(ramps)
        index = min(int(place), len(ramps) - 1)
        mixed = (low + (high - low) * (place - index) for low, high in zip(*ramps[index], strict=True))
        colours.append("#" + "".join(f"{int(value + 0.5):02x}" for value in mixed))
    return colours
