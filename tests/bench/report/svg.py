"""Plots as SVG, by hand: two kinds, readable on a light and on a dark page."""

from html import escape
from math import floor, log10

COLOURS = ["#0f766e", "#d97706", "#7c3aed", "#64748b", "#be123c", "#2563eb"]
STYLE = """<style>text{font:12px system-ui,sans-serif;fill:#334155}.t{font-weight:600;font-size:14px}
line{stroke:#94a3b8;stroke-opacity:.45}@media(prefers-color-scheme:dark){text{fill:#e2e8f0}}</style>"""


def bars(title, names, series, unit):
    """Groups of horizontal bars: `series` is [(name, [a value a group, or None])]."""
    left, width, thick, gap, top = 120, 720, 13, 10, 56
    group = thick * len(series) + gap
    height = top + group * len(names) + 12
    most = max(value for _, values in series for value in values if value is not None)
    scale = (width - left - 70) / most
    out = [text(12, 22, title, "t")] + legend([name for name, _ in series], left, 42)
    for row, name in enumerate(names):
        y = top + row * group
        out.append(text(left - 8, y + thick * len(series) / 2 + 4, name, anchor="end"))
        for index, (_, values) in enumerate(series):
            if values[row] is None:
                continue
            at, long = y + index * thick, max(1, values[row] * scale)
            out.append(f'<rect x="{left}" y="{at}" width="{long:.1f}" height="{thick - 2}" rx="2" '
                       f'fill="{COLOURS[index % len(COLOURS)]}"/>')
            out.append(text(left + long + 5, at + thick - 3, f"{values[row]:.3g}{unit}"))
    return page(width, height, out)


def lines(title, series, across, up):
    """Curves over a logarithmic x: `series` is [(name, [(x, y)])]."""
    left, top, width, height = 64, 56, 720, 340
    points = [point for _, curve in series for point in curve]
    low, high = (log10(edge(x for x, _ in points)) for edge in (min, max))
    step = round_up(max(y for _, y in points) / 4)
    most = 4 * step
    place = lambda x, y: (left + (log10(x) - low) / (high - low or 1) * (width - left - 24),  # noqa: E731
                          height - 40 - y / most * (height - 40 - top))
    out = [text(12, 22, title, "t")] + legend([name for name, _ in series], left, 42)
    for y in (step * times for times in range(5)):
        _, at = place(10**low, y)
        out += [f'<line x1="{left}" y1="{at:.1f}" x2="{width - 24}" y2="{at:.1f}"/>',
                text(left - 6, at + 4, f"{y:.3g}", anchor="end")]
    for x in sorted({x for x, _ in points}):
        out.append(text(place(x, 0)[0], height - 22, f"{x:g}", anchor="middle"))
    out += [text(width / 2, height - 5, across, anchor="middle"), text(12, top - 8, up)]
    for index, (_, curve) in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        placed = [place(x, y) for x, y in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in placed]
    return page(width, height, out)


def round_up(value):
    """The next number up that is 1, 2, 2.5 or 5 times a power of ten."""
    power = 10 ** floor(log10(value))
    return next(power * digit for digit in (1, 2, 2.5, 5, 10) if power * digit >= value)


def text(x, y, words, kind="", anchor="start"):
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{mark}>{escape(str(words))}</text>'


def legend(names, x, y):
    out = []
    for index, name in enumerate(names):
        out += [f'<rect x="{x}" y="{y - 10}" width="11" height="11" rx="2" fill="{COLOURS[index % len(COLOURS)]}"/>',
                text(x + 16, y, name)]
        x += 30 + 7 * len(name)
    return out


def page(width, height, parts):
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}">\n'
            f"{STYLE}\n{body}\n</svg>\n")
