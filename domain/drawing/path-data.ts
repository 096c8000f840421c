import { centerArcOf } from './arc.js';
import {
  ARC,
  CLOSE,
  COORDS_PER_COMMAND,
  CUBIC,
  type Drawing,
  LINE,
  MOVE,
  type PathGeometry,
  QUADRATIC,
} from './drawing.js';

export const MAX_DECIMALS = 4;
const POWERS = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const MAX_FORMAT_DECIMALS = 8;
/** Scaled coordinates stay exact integers, and so do their differences and reflections. */
const MAX_SCALED = 2 ** 50;
/** Digits that radii may have beyond the coordinates', for arcs whose bulge hangs on them (near half circles). */
const MAX_EXTRA_RADIUS_DIGITS = 3;
/** By how much of the last digit a handle may miss the mirror image of the one before. */
const MIRROR_SLACK = 0.01;
/** What a product may miss a whole number by. */
const FLOOR_SLACK = 1e-6;
/** A large arc whose ends are nearer than this part of its radius is written as two: rounding the ends would turn it. */
const SPLIT_CHORD_PER_RADIUS = 0.25;

const MINUS = 45;
const DOT = 46;
const SPACE = 32;
const DIGIT_0 = 48;
const LOWER = 32;
const letter = (text: string) => text.charCodeAt(0);
const L_M = letter('M');
const L_L = letter('L');
const L_H = letter('H');
const L_V = letter('V');
const L_C = letter('C');
const L_S = letter('S');
const L_Q = letter('Q');
const L_T = letter('T');
const L_A = letter('A');
const L_Z = letter('z');

/** What the last token lets the next number go without. */
const AFTER_LETTER = 0;
const AFTER_INTEGER = 1;
const AFTER_FRACTION = 2;

/** Longest text of one command: seven numbers of 17 digits with sign, dot and separator, and a letter; written twice. */
const COMMAND_ROOM = 2 * (7 * 20 + 1);

const checkDecimals = (decimals: number) => {
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS))
    throw new RangeError(`decimals must be 0..${MAX_DECIMALS}, not ${decimals}`);
};

/**
 * Writes paths as compact SVG path text with `decimals` (0..4) digits after the point. Each command is relative or absolute,
 * whichever is shorter; repeats, `h v s t` and separators are left out where the grammar lets them. Positions are rounded
 * before differences are taken, so the pen never drifts; a handle that mirrors the one before is left out, and read as the mirror image
 * of what was rounded. A line that `z` draws again is left out.
 * Throws RangeError on other decimals, on a number that is not finite or too large, and on an unknown command.
 * One writer serves many paths: it keeps its buffer.
 */
export class PathDataWriter {
  readonly #decimals: number;
  readonly #scale: number;
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Where the pen stands and where `z` returns to, scaled. */
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The letter that the next command may leave out; 0 for none. */
  #implicit = 0;
  #after = AFTER_LETTER;
  /** Numbers of the command being written, absolute, then its form. */
  readonly #numbers = new Float64Array(8);

  constructor(decimals: number) {
    checkDecimals(decimals);
    this.#decimals = decimals;
    this.#scale = POWERS[decimals]!;
  }

  write(path: PathGeometry, drawing: Pick<Drawing, 'commands' | 'coords'>): string {
    const { commands, coords } = drawing;
    const scale = this.#scale;
    const numbers = this.#numbers;
    const end = path.firstCommand + path.commandCount;
    let at = path.firstCoord;
    let previous = CLOSE;
    // The last control point, for `s` and `t`.
    let controlX = 0;
    let controlY = 0;
    // And before rounding.
    let rawX = 0;
    let rawY = 0;
    // The pen before rounding, for arcs.
    let penX = 0;
    let penY = 0;
    let penStartX = 0;
    let penStartY = 0;
    this.#length = 0;
    this.#x = this.#y = this.#startX = this.#startY = 0;
    this.#implicit = 0;
    this.#after = AFTER_LETTER;
    for (let i = path.firstCommand; i < end; i++) {
      const command = commands[i]!;
      const count = COORDS_PER_COMMAND[command];
      if (count === undefined) throw new RangeError(`unknown path command ${command}`);
      if (command === CLOSE) {
        this.#close();
        penX = penStartX;
        penY = penStartY;
        previous = CLOSE;
        continue;
      }
      const endX = coords[at + count - 2]!;
      const endY = coords[at + count - 1]!;
      if (command === ARC) {
        this.#arc(
          penX,
          penY,
          coords[at]!,
          coords[at + 1]!,
          coords[at + 2]!,
          coords[at + 3] !== 0,
          coords[at + 4] !== 0,
          endX,
          endY,
        );
      } else {
        for (let k = 0; k < count; k++) {
          const scaled = Math.round(coords[at + k]! * scale);
          if (!(scaled < MAX_SCALED && scaled > -MAX_SCALED))
            throw new RangeError(`a path coordinate is not finite or too large: ${coords[at + k]}`);
          numbers[k] = scaled;
        }
        const x = numbers[count - 2]!;
        const y = numbers[count - 1]!;
        const fromX = this.#x;
        const fromY = this.#y;
        if (command === MOVE) {
          this.#implicit = 0;
          this.#put(L_M, 0, 2);
          this.#startX = x;
          this.#startY = y;
          penStartX = endX;
          penStartY = endY;
        } else if (command === LINE) {
          const redundant =
            x === this.#startX &&
            y === this.#startY &&
            this.#closesHere(commands, coords, i + 1, end, at + count, x, y);
          if (!redundant) {
            if (y === fromY) this.#put(L_H, 0, 1);
            else if (x === fromX) this.#put(L_V, 1, 1);
            else this.#put(L_L, 0, 2);
          }
        } else if (command === CUBIC) {
          const reflectedX = previous === CUBIC ? 2 * fromX - controlX : fromX;
          const reflectedY = previous === CUBIC ? 2 * fromY - controlY : fromY;
          controlX = numbers[2]!;
          controlY = numbers[3]!;
          // Handles that mirror each other are meant to, however the two were rounded.
          const isMirrored =
            previous === CUBIC &&
            Math.abs(2 * penX - rawX - coords[at]!) * scale < MIRROR_SLACK &&
            Math.abs(2 * penY - rawY - coords[at + 1]!) * scale < MIRROR_SLACK;
          rawX = coords[at + 2]!;
          rawY = coords[at + 3]!;
          if (isMirrored || (numbers[0] === reflectedX && numbers[1] === reflectedY)) this.#put(L_S, 2, 4);
          else this.#put(L_C, 0, 6);
        } else {
          const reflectedX = previous === QUADRATIC ? 2 * fromX - controlX : fromX;
          const reflectedY = previous === QUADRATIC ? 2 * fromY - controlY : fromY;
          controlX = numbers[0]!;
          controlY = numbers[1]!;
          if (controlX === reflectedX && controlY === reflectedY) this.#put(L_T, 2, 2);
          else this.#put(L_Q, 0, 4);
        }
        this.#x = x;
        this.#y = y;
      }
      at += count;
      penX = endX;
      penY = endY;
      previous = command;
    }
    return this.#text();
  }

  /** Whether nothing but lines that round to the very same point stands before the next `z`. */
  #closesHere(
    commands: Uint8Array,
    coords: Float64Array,
    from: number,
    end: number,
    at: number,
    x: number,
    y: number,
  ): boolean {
    for (let i = from; i < end; i++, at += 2) {
      if (commands[i] !== LINE) return commands[i] === CLOSE;
      if (Math.round(coords[at]! * this.#scale) !== x || Math.round(coords[at + 1]! * this.#scale) !== y) return false;
    }
    return false;
  }

  #close(): void {
    this.#reserve();
    this.#bytes[this.#length++] = L_Z;
    this.#x = this.#startX;
    this.#y = this.#startY;
    this.#implicit = 0;
    this.#after = AFTER_LETTER;
  }

  #reserve(): void {
    const room = this.#length + COMMAND_ROOM;
    if (room <= this.#bytes.length) return;
    const grown = new Uint8Array(room * 2);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  /** Writes `count` of the absolute numbers from `first`, x and y in turn (`V` alone begins with y), the shorter way. */
  #put(capital: number, first: number, count: number): void {
    this.#reserve();
    const begin = this.#length;
    const after = this.#after;
    this.#numbersAs(capital + LOWER, first, count, this.#x, this.#y);
    const relativeEnd = this.#length;
    const relativeAfter = this.#after;
    this.#after = after;
    this.#numbersAs(capital, first, count, 0, 0);
    this.#keepShorter(begin, relativeEnd, relativeAfter, capital);
  }

  #numbersAs(name: number, first: number, count: number, originX: number, originY: number): void {
    if (name !== this.#implicit) {
      this.#bytes[this.#length++] = name;
      this.#after = AFTER_LETTER;
    }
    const numbers = this.#numbers;
    for (let k = first; k < first + count; k++)
      this.#number(numbers[k]! - ((k & 1) === 0 ? originX : originY), this.#decimals);
  }

  /** The relative form lies in begin..relativeEnd, the absolute one behind it; the relative one wins a tie. */
  #keepShorter(begin: number, relativeEnd: number, relativeAfter: number, capital: number): void {
    let name = capital + LOWER;
    if (this.#length - relativeEnd < relativeEnd - begin) {
      this.#bytes.copyWithin(begin, relativeEnd, this.#length);
      this.#length += begin - relativeEnd;
      name = capital;
    } else {
      this.#length = relativeEnd;
      this.#after = relativeAfter;
    }
    // Pairs after a move are lines.
    this.#implicit = capital === L_M ? name + L_L - L_M : name;
  }

  #number(scaled: number, decimals: number): void {
    const bytes = this.#bytes;
    let length = this.#length;
    let after = this.#after;
    if (scaled < 0) {
      bytes[length++] = MINUS;
      scaled = -scaled;
      after = AFTER_LETTER;
    }
    const power = POWERS[decimals]!;
    const whole = scaled < power ? 0 : Math.floor(scaled / power);
    let fraction = scaled - whole * power;
    if (whole > 0 || fraction === 0) {
      if (after !== AFTER_LETTER) bytes[length++] = SPACE;
      let digits = 1;
      if (whole < 1e9) {
        while (whole >= POWERS[digits]!) digits++;
        // Whole numbers of 32 bits divide faster.
        let rest = whole | 0;
        for (let k = length + digits - 1; k >= length; k--) {
          const next = (rest / 10) | 0;
          bytes[k] = DIGIT_0 + (rest - next * 10);
          rest = next;
        }
      } else {
        const text = String(whole);
        digits = text.length;
        for (let k = 0; k < digits; k++) bytes[length + k] = text.charCodeAt(k);
      }
      length += digits;
      after = AFTER_INTEGER;
    } else if (after === AFTER_INTEGER) bytes[length++] = SPACE;
    if (fraction > 0) {
      let digits = decimals;
      while (fraction % 10 === 0) {
        fraction /= 10;
        digits--;
      }
      bytes[length++] = DOT;
      for (let k = length + digits - 1; k >= length; k--) {
        const next = (fraction / 10) | 0;
        bytes[k] = DIGIT_0 + (fraction - next * 10);
        fraction = next;
      }
      length += digits;
      after = AFTER_FRACTION;
    }
    this.#length = length;
    this.#after = after;
  }

  /** From (x0, y0) to (x1, y1), not yet rounded. */
  #arc(
    x0: number,
    y0: number,
    rx: number,
    ry: number,
    rotation: number,
    largeArc: boolean,
    sweep: boolean,
    x1: number,
    y1: number,
  ): void {
    const chordSq = (x1 - x0) ** 2 + (y1 - y0) ** 2;
    if (largeArc && chordSq < (SPLIT_CHORD_PER_RADIUS * Math.min(Math.abs(rx), Math.abs(ry))) ** 2) {
      const arc = centerArcOf(x0, y0, rx, ry, rotation, largeArc, sweep, x1, y1);
      if (arc !== undefined) {
        const middle = arc.startRad + arc.sweepRad / 2;
        const cos = Math.cos(arc.rotationRad);
        const sin = Math.sin(arc.rotationRad);
        const u = arc.rx * Math.cos(middle);
        const v = arc.ry * Math.sin(middle);
        const middleX = arc.cx + cos * u - sin * v;
        const middleY = arc.cy + sin * u + cos * v;
        this.#arc(x0, y0, arc.rx, arc.ry, rotation, false, sweep, middleX, middleY);
        this.#arc(middleX, middleY, arc.rx, arc.ry, rotation, false, sweep, x1, y1);
        return;
      }
    }
    const scale = this.#scale;
    const x = Math.round(x1 * scale);
    const y = Math.round(y1 * scale);
    if (!(Math.abs(x) < MAX_SCALED && Math.abs(y) < MAX_SCALED))
      throw new RangeError(`an arc's end is not finite or too large: ${x1}, ${y1}`);
    const turned = Math.abs(rx) === Math.abs(ry) ? 0 : rotation;
    const radii = settledRadii(
      (x1 - x0) * scale,
      (y1 - y0) * scale,
      x - this.#x,
      y - this.#y,
      Math.abs(rx) * scale,
      Math.abs(ry) * scale,
      turned,
      largeArc,
    );
    if (!(Math.abs(radii.rx) < MAX_SCALED && Math.abs(radii.ry) < MAX_SCALED))
      throw new RangeError(`an arc's radius is not finite or too large: ${rx}, ${ry}`);
    this.#reserve();
    const begin = this.#length;
    const after = this.#after;
    const flags = (largeArc ? 2 : 0) + (sweep ? 1 : 0);
    const shownTurn = radii.rx === radii.ry ? 0 : turned;
    this.#arcAs(L_A + LOWER, radii, shownTurn, flags, x - this.#x, y - this.#y);
    const relativeEnd = this.#length;
    const relativeAfter = this.#after;
    this.#after = after;
    this.#arcAs(L_A, radii, shownTurn, flags, x, y);
    this.#keepShorter(begin, relativeEnd, relativeAfter, L_A);
    this.#x = x;
    this.#y = y;
  }

  #arcAs(name: number, radii: RoundedRadii, rotation: number, flags: number, x: number, y: number): void {
    if (name !== this.#implicit) {
      this.#bytes[this.#length++] = name;
      this.#after = AFTER_LETTER;
    }
    const decimals = this.#decimals;
    this.#number(radii.rx, decimals + radii.extraDigits);
    this.#number(radii.ry, decimals + radii.extraDigits);
    this.#number(Math.round(rotation * this.#scale * 10), decimals + 1);
    // Flags are one character each and need nothing behind them.
    this.#bytes[this.#length++] = SPACE;
    this.#bytes[this.#length++] = DIGIT_0 + (flags >> 1);
    this.#bytes[this.#length++] = DIGIT_0 + (flags & 1);
    this.#after = AFTER_LETTER;
    this.#number(x, decimals);
    this.#number(y, decimals);
  }

  #text(): string {
    const bytes = this.#bytes;
    const length = this.#length;
    let text = '';
    // In pieces: an argument list has a limit.
    for (let from = 0; from < length; from += 4096)
      text += String.fromCharCode.apply(
        null,
        bytes.subarray(from, Math.min(length, from + 4096)) as unknown as number[],
      );
    return text;
  }
}

interface RoundedRadii {
  /** In units of 10^-extraDigits of the scaled unit. */
  readonly rx: number;
  readonly ry: number;
  readonly extraDigits: number;
}

/**
 * Rounds radii so that the arc bulges as far over its rounded chord (dx, dy) as it did over the true one (trueDx, trueDy);
 * all scaled. A half circle hangs on its radius like sqrt: half a unit too much on r = 1000 flattens it by 31. It gets the
 * largest radius that is no longer than half the chord, which every reader has to grow to exactly that half.
 */
function roundRadii(
  trueDx: number,
  trueDy: number,
  dx: number,
  dy: number,
  rx: number,
  ry: number,
  rotation: number,
  largeArc: boolean,
): RoundedRadii {
  const plain = { rx: Math.round(rx), ry: Math.round(ry), extraDigits: 0 };
  if (rx < 1 || ry < 1) return plain;
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  // Half the chord, squared, where the ellipse is the unit circle.
  const trueSq = (((cos * trueDx + sin * trueDy) / rx) ** 2 + ((cos * trueDy - sin * trueDx) / ry) ** 2) / 4;
  const chordX = (cos * dx + sin * dy) / 2;
  const chordY = (cos * dy - sin * dx) / 2;
  const chordSq = (chordX / rx) ** 2 + (chordY / ry) ** 2;
  if (trueSq === 0 || chordSq === 0) return plain;
  // Whole radii that do not reach both ends are what was written for a half circle before.
  if (trueSq >= 1 && Math.abs(rx - plain.rx) < FLOOR_SLACK && Math.abs(ry - plain.ry) < FLOOR_SLACK) return plain;
  const toCenter = trueSq < 1 ? Math.sqrt(1 - trueSq) : 0;
  const bulge = largeArc ? 1 + toCenter : 1 - toCenter;
  // The circle through the rounded chord with the same bulge.
  const fit = trueSq < 1 ? (chordSq + bulge * bulge) / (2 * bulge) : Math.sqrt(chordSq);
  const larger = Math.max(rx, ry);
  let rounded = plain;
  for (let extraDigits = 0; extraDigits <= MAX_EXTRA_RADIUS_DIGITS; extraDigits++) {
    const power = POWERS[extraDigits]!;
    rounded = { rx: Math.round(rx * fit * power), ry: Math.round(ry * fit * power), extraDigits };
    const gotSq = (chordX / (rounded.rx / power)) ** 2 + (chordY / (rounded.ry / power)) ** 2;
    const grown = gotSq > 1 ? Math.sqrt(gotSq) : 1;
    const gotToCenter = gotSq < 1 ? Math.sqrt(1 - gotSq) : 0;
    const got = (grown * (largeArc ? 1 + gotToCenter : 1 - gotToCenter) * (rounded.rx / power)) / rx;
    if (Math.abs(got - bulge) * larger <= 0.5) return rounded;
    if (extraDigits === 0 && toCenter * larger <= 0.5) {
      const half = Math.sqrt(chordSq);
      // Not a whole unit less where the product is whole but for its last bits.
      return { rx: Math.floor(rx * half + FLOOR_SLACK), ry: Math.floor(ry * half + FLOOR_SLACK), extraDigits: 0 };
    }
  }
  return rounded;
}

/**
 * `roundRadii`, and once more on what it gave: extra digits that a reader of the rounded arc would find it can do without are
 * left out at once, so that an arc that was written and read is written alike.
 */
function settledRadii(...arc: Parameters<typeof roundRadii>): RoundedRadii {
  const first = roundRadii(...arc);
  if (first.extraDigits === 0) return first;
  const [, , dx, dy, , , rotation, largeArc] = arc;
  const power = POWERS[first.extraDigits]!;
  return roundRadii(dx, dy, dx, dy, first.rx / power, first.ry / power, rotation, largeArc);
}

/** One path as SVG path text; see PathDataWriter. */
export const writePathData = (
  path: PathGeometry,
  drawing: Pick<Drawing, 'commands' | 'coords'>,
  decimals: number,
): string => new PathDataWriter(decimals).write(path, drawing);

/**
 * The shortest text of a number rounded to `decimals` (0..8) digits: no trailing zeros, no leading zero, no exponent, never
 * `-0`. Throws RangeError where it is not finite or too large to be exact.
 */
export function formatNumber(value: number, decimals: number): string {
  const power = POWERS[decimals];
  if (power === undefined || decimals > MAX_FORMAT_DECIMALS)
    throw new RangeError(`decimals must be 0..${MAX_FORMAT_DECIMALS}, not ${decimals}`);
  const scaled = Math.round(Math.abs(value) * power);
  if (!(scaled < MAX_SCALED)) throw new RangeError(`not finite or too large to write: ${value}`);
  if (scaled === 0) return '0';
  const whole = Math.floor(scaled / power);
  let fraction = scaled - whole * power;
  let text = whole > 0 ? String(whole) : '';
  if (fraction > 0) {
    let digits = decimals;
    while (fraction % 10 === 0) {
      fraction /= 10;
      digits--;
    }
    text += `.${String(fraction).padStart(digits, '0')}`;
  }
  return value < 0 ? `-${text}` : text;
}
