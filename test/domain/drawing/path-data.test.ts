import { expect } from 'chai';
import fc from 'fast-check';
import { centerArcOf } from '#domain/drawing/arc.js';
import { formatNumber, PathDataWriter, writePathData } from '#domain/drawing/path-data.js';
import { type BuilderStep, createDrawingBuilder } from '#test/support/drawing-builder.js';
import { type PathStep, readPathText } from '#test/support/path-text.js';
import { holds } from '#test/support/properties.js';

function write(steps: readonly BuilderStep[], decimals = 2): string {
  const builder = createDrawingBuilder(100, 100);
  const path = builder.path(steps);
  return writePathData(path, builder.drawing(), decimals);
}

/** Leaves out lines that only say again what the close behind them says, as the writer may. */
const withoutClosingLines = (steps: readonly PathStep[], unit: number) => {
  let start: readonly number[] = [];
  const round = (value: number) => Math.round(value / unit);
  return steps.filter((step, i) => {
    if (step.letter === 'M') start = step.numbers;
    const closes = step.letter === 'L' && steps[i + 1]?.letter === 'Z';
    return !(closes && step.numbers.every((value, k) => round(value) === round(start[k]!)));
  });
};

/** A vertex half a unit off moves a mirror image by one, and the handle before by another half. */
const MIRRORED_UNITS = 1.52;

/** Whether the first handle of a cubic mirrors the last one of the cubic before. */
function isMirrored(steps: readonly PathStep[], i: number, unit: number): boolean {
  const now = steps[i]!;
  const before = steps[i - 1];
  if (now.letter !== 'C' || before?.letter !== 'C') return false;
  return [0, 1].every(
    (c) => Math.abs(2 * before.numbers[4 + c]! - before.numbers[2 + c]! - now.numbers[c]!) <= 0.02 * unit,
  );
}

const coordinate = fc.oneof(
  fc.double({ min: -50, max: 3000, noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -300, max: 300 }).map((v) => v / 100 + 1e-9),
  fc.constantFrom(0.005, -0.005, 0.995, 1.0049999, 99.999, 100_000.5, -0.0001),
);
const numbers = (count: number) => fc.array(coordinate, { minLength: count, maxLength: count });
const piece: fc.Arbitrary<BuilderStep> = fc.oneof(
  numbers(2).map((n): BuilderStep => ['L', ...n]),
  numbers(4).map((n): BuilderStep => ['Q', ...n]),
  numbers(6).map((n): BuilderStep => ['C', ...n]),
);
const outline = fc
  .tuple(numbers(2), fc.array(piece, { maxLength: 8 }), fc.boolean())
  .map(([start, pieces, closed]): BuilderStep[] => [['M', ...start], ...pieces, ...(closed ? [['Z'] as const] : [])]);
const outlines = fc.array(outline, { minLength: 1, maxLength: 4 }).map((list) => list.flat());

/** Steps in which each handle continues the one before, and each line is level or upright, half of the time. */
const smoothed = (steps: readonly BuilderStep[]): BuilderStep[] => {
  let x = 0;
  let y = 0;
  let handle: readonly [number, number] | undefined;
  return steps.map(([letter, ...n], i): BuilderStep => {
    if (i % 2 === 0 && handle !== undefined && (letter === 'C' || letter === 'Q'))
      [n[0], n[1]] = [2 * x - handle[0], 2 * y - handle[1]];
    if (i % 2 === 0 && letter === 'L') n[i % 4 === 0 ? 0 : 1] = i % 4 === 0 ? x : y;
    handle = letter === 'C' ? [n[2]!, n[3]!] : letter === 'Q' ? [n[0]!, n[1]!] : undefined;
    if (n.length > 0) [x, y] = [n.at(-2)!, n.at(-1)!];
    return [letter, ...n];
  });
};

describe('path text', () => {
  it('leaves out handles that mirror those before, however both are rounded', () => {
    const curves = (handle: number): BuilderStep[] => [
      ['M', 0, 0],
      ['C', 1, 3, 2.004, 3.006, 3.004, 3.006],
      ['C', handle, 3.006, 6, 1, 6, 0],
    ];
    expect(write(curves(4.004))).to.equal('m0 0c1 3 2 3.01 3 3.01S6 1 6 0');
    expect(write(curves(4.02))).to.equal('m0 0c1 3 2 3.01 3 3.01C4.02 3.01 6 1 6 0');
  });

  it('reads back within half a unit of the last digit, handles that mirror others within one and a half', () => {
    let compared = 0;
    holds(
      fc.property(outlines, fc.integer({ min: 0, max: 4 }), fc.boolean(), (made, decimals, smooth) => {
        const steps = smooth ? smoothed(made) : made;
        const unit = 10 ** -decimals;
        const read = readPathText(write(steps, decimals));
        const meant = withoutClosingLines(
          steps.map(([letter, ...n]) => ({ letter, numbers: n })),
          unit,
        );
        expect(read.map(({ letter }) => letter)).to.deep.equal(meant.map(({ letter }) => letter));
        for (const [i, { numbers: got }] of read.entries()) {
          for (const [k, value] of got.entries()) {
            // A handle that is the mirror image of the one before is read as that of what was rounded.
            const bound = k < 2 && isMirrored(meant, i, unit) ? MIRRORED_UNITS : 0.5;
            expect(Math.abs(value - meant[i]!.numbers[k]!)).to.be.at.most(
              bound * unit + 1e-8,
              `step ${i}, number ${k}`,
            );
            compared++;
          }
        }
      }),
      2000,
    );
    expect(compared).to.be.above(20_000);
  });

  it('writes the same from a writer that was used before', () => {
    const builder = createDrawingBuilder(100, 100);
    const first = builder.path([['M', 3, 4], ['C', 1, 2, 3, 4, 5, 6], ['Z']]);
    const second = builder.path([
      ['M', 1, 1],
      ['L', 5.5, 7],
    ]);
    const drawing = builder.drawing();
    const writer = new PathDataWriter(1);
    writer.write(first, drawing);
    expect(writer.write(second, drawing)).to.equal(writePathData(second, drawing, 1));
  });

  const examples: readonly [what: string, steps: readonly BuilderStep[], text: string][] = [
    [
      'level and upright lines by one number',
      [
        ['M', 1, 2],
        ['L', 9, 2],
        ['L', 9, 5],
      ],
      'm1 2h8v3',
    ],
    [
      'lines after a move without a letter',
      [
        ['M', 1, 2],
        ['L', 3, 5],
        ['L', 5, 8],
      ],
      'm1 2 2 3 2 3',
    ],
    [
      'no leading zero, no space before a second dot',
      [
        ['M', 0.5, 0.25],
        ['L', 1.25, 0.5],
      ],
      'm.5.25.75.25',
    ],
    [
      'no space before a minus',
      [
        ['M', 9, 9],
        ['L', 6, 5],
      ],
      'm9 9-3-4',
    ],
    [
      'no trailing zeros',
      [
        ['M', 1.5, 100],
        ['L', 2.7, 101],
      ],
      'm1.5 100 1.2 1',
    ],
    [
      'the absolute form where it is shorter',
      [
        ['M', 99.5, 98.5],
        ['L', 1, 2],
      ],
      'm99.5 98.5L1 2',
    ],
    ['a closing line as z', [['M', 0, 0], ['L', 5, 0], ['L', 5, 5], ['L', 0, 0], ['Z']], 'm0 0h5v5z'],
    [
      'smooth cubics',
      [
        ['M', 0, 0],
        ['C', 1, 2, 3, 4, 5, 6],
        ['C', 7, 8, 9, 9, 8, 8],
      ],
      'm0 0c1 2 3 4 5 6s4 3 3 2',
    ],
    [
      'smooth quadratics',
      [
        ['M', 0, 0],
        ['Q', 2, 3, 4, 0],
        ['Q', 6, -3, 8, 0],
      ],
      'm0 0q2 3 4 0t4 0',
    ],
    [
      'packed arc flags',
      [
        ['M', 0, 0],
        ['A', 5, 5, 0, 0, 1, 5, 5],
      ],
      'm0 0a5 5 0 015 5',
    ],
    ['nothing of a path without commands', [], ''],
  ];
  for (const [what, steps, text] of examples)
    it(`writes ${what}`, () => {
      expect(write(steps)).to.equal(text);
    });

  it('does not drift over thousands of small steps', () => {
    const steps: BuilderStep[] = [['M', 0, 0]];
    for (let i = 1; i <= 5000; i++) steps.push(['L', i * 0.0149, i * 0.0151]);
    const read = readPathText(write(steps));
    expect(read).to.have.length(5001);
    expect(read.at(-1)!.numbers[0]).to.be.closeTo(74.5, 0.005 + 1e-9);
    expect(read.at(-1)!.numbers[1]).to.be.closeTo(75.5, 0.005 + 1e-9);
  });

  it('keeps the middle of an arc where it was, half circles of any slope and nearly whole circles included', () => {
    let compared = 0;
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    const sweeps = fc.oneof(
      fc.double({ min: 0.3, max: 6.28, noNaN: true }),
      fc.constant(Math.PI),
      fc.double({ min: -1e-3, max: 1e-3, noNaN: true }).map((d) => Math.PI + d),
    );
    holds(
      fc.property(
        fc.double({ min: 0.5, max: 800, noNaN: true }),
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
        angle,
        sweeps,
        fc.boolean(),
        (rx, ratio, turned, from, sweepRad, clockwise) => {
          const ry = ratio > 0.8 ? rx : rx * ratio;
          const rotation = rx === ry ? 0 : turned;
          const cos = Math.cos((rotation * Math.PI) / 180);
          const sin = Math.sin((rotation * Math.PI) / 180);
          const at = (t: number): [number, number] => [
            900 + cos * rx * Math.cos(t) - sin * ry * Math.sin(t),
            900 + sin * rx * Math.cos(t) + cos * ry * Math.sin(t),
          ];
          const signed = clockwise ? sweepRad : -sweepRad;
          const end = at(from + signed);
          const large = sweepRad > Math.PI ? 1 : 0;
          const read = readPathText(
            write([
              ['M', ...at(from)],
              ['A', rx, ry, rotation, large, clockwise ? 1 : 0, ...end],
            ]),
          );
          let [x, y] = read[0]!.numbers as [number, number];
          let nearest = Number.POSITIVE_INFINITY;
          const [middleX, middleY] = at(from + signed / 2);
          for (const { letter, numbers: n } of read.slice(1)) {
            expect(letter).to.equal('A');
            const arc = centerArcOf(x, y, n[0]!, n[1]!, n[2]!, n[3] === 1, n[4] === 1, n[5]!, n[6]!)!;
            for (let k = 0; k <= 512; k++) {
              const t = arc.startRad + (arc.sweepRad * k) / 512;
              const u = arc.rx * Math.cos(t);
              const v = arc.ry * Math.sin(t);
              const px = arc.cx + Math.cos(arc.rotationRad) * u - Math.sin(arc.rotationRad) * v;
              const py = arc.cy + Math.sin(arc.rotationRad) * u + Math.cos(arc.rotationRad) * v;
              nearest = Math.min(
                nearest,
                Math.hypot(px - middleX, py - middleY) - (rx * Math.abs(arc.sweepRad)) / 1024,
              );
            }
            [x, y] = [n[5]!, n[6]!];
          }
          expect(nearest).to.be.below(0.05);
          expect(Math.hypot(x - end[0], y - end[1])).to.be.below(0.00708);
          compared++;
        },
      ),
      500,
    );
    expect(compared).to.equal(500);
  });

  it('refuses numbers that no file should hold, other decimals and unknown commands', () => {
    expect(() => write([['M', Number.NaN, 0]])).to.throw(RangeError, 'not finite');
    expect(() =>
      write([
        ['M', 0, 0],
        ['A', 1, 1, 0, 0, 1, Number.POSITIVE_INFINITY, 0],
      ]),
    ).to.throw(RangeError);
    expect(() => write([['M', 1e16, 0]])).to.throw(RangeError, 'too large');
    expect(() => write([['M', 1, 0]], 5)).to.throw(RangeError, 'decimals');
    const broken = { commands: Uint8Array.of(9), coords: new Float64Array(8) };
    const path = { kind: 'path', firstCommand: 0, commandCount: 1, firstCoord: 0, evenOdd: false } as const;
    expect(() => writePathData(path, broken, 2)).to.throw(RangeError, 'unknown path command 9');
  });
});

describe('formatNumber', () => {
  const cases: readonly [value: number, decimals: number, text: string][] = [
    [0, 2, '0'],
    [-0, 2, '0'],
    [-0.001, 2, '0'],
    [0.5, 2, '.5'],
    [-0.25, 2, '-.25'],
    [10, 0, '10'],
    [9.999, 2, '10'],
    [1.005, 4, '1.005'],
    [123456.789, 1, '123456.8'],
    [1e-7, 8, '.0000001'],
    [2 ** 40, 0, '1099511627776'],
  ];
  for (const [value, decimals, text] of cases)
    it(`writes ${value} with ${decimals} decimals as ${text}`, () => {
      expect(formatNumber(value, decimals)).to.equal(text);
    });

  it('refuses what is not finite', () => {
    expect(() => formatNumber(Number.NaN, 2)).to.throw(RangeError);
    expect(() => formatNumber(Number.NEGATIVE_INFINITY, 2)).to.throw(RangeError);
    expect(() => formatNumber(1, 9)).to.throw(RangeError);
  });
});
