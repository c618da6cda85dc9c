"""Draws columns of a CSV file over its first one, as a picture (SVG) for the docs.

    python3 tools/curve.py expert.csv -o docs/images/expert_iteration.svg --columns network_steps expert_steps
"""
import argparse
import csv
from html import escape

COLOURS = ["#1f77b4", "#d95f02", "#2ca02c", "#9467bd"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 280, 56, 16, 16, 44


def ticks(low, high):
    """About five round numbers from low to high."""
    raw = (high - low) / 5 or 1
    size = 10 ** len(str(int(raw))) / 10 if raw >= 1 else 10 ** -len(str(int(1 / raw)))
    step = next(size * k for k in (1, 2, 5, 10, 20) if size * k >= raw)
    first = -(-low // step)
    return [(first + k) * step for k in range(int((high - first * step) / step + 1e-9) + 1)]


def draw(rows, columns, title):
    x_name = next(iter(rows[0]))
    lines = [[(float(row[x_name]), float(row[name])) for row in rows if row[name]] for name in columns]
    xs, ys = zip(*(point for line in lines for point in line))
    low, high = min(ys), max(ys)
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)

    def at(x, y):
        return (LEFT + (x - min(xs)) / ((max(xs) - min(xs)) or 1) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (y - low) / ((high - low) or 1) * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f"<title>{escape(title)}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for y in ticks(low, high):
        v = at(min(xs), y)[1]
        out.append(f'<path d="M{LEFT} {v:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{v + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in ticks(min(xs), max(xs)):
        u = at(x, low)[0]
        out.append(f'<text x="{u:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_name)}</text>')
    for k, (name, line) in enumerate(zip(columns, lines)):
        points = " ".join("%.1f,%.1f" % at(*point) for point in line)
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k % 4]}" stroke-width="2"/>'
                   f'<text x="{WIDTH - RIGHT - 4}" y="{TOP + 14 + 16 * k}" text-anchor="end" fill="{COLOURS[k % 4]}">'
                   f'{escape(name.replace("_", " "))}</text>')
    return "\n".join(out + ["</svg>\n"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("csv")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--columns", nargs="+", required=True)
    a = parser.parse_args()
    with open(a.csv, newline="") as file:
        found = list(csv.DictReader(file))
    for wanted in a.columns:
        if not found or wanted not in found[0]:
            raise SystemExit(f"{a.csv}: no column {wanted}; expected one of {', '.join(found[0] if found else ['(no rows)'])}")
    with open(a.output, "w") as file:
        file.write(draw(found, a.columns, ", ".join(a.columns)))
