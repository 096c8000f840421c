/** A command as it was meant: absolute, every shorthand written out. `letter` is one of M L Q C A Z. */
export interface PathStep {
  readonly letter: string;
  readonly numbers: readonly number[];
}

const COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Reads SVG path text by the letter of its grammar; throws SyntaxError with the position of anything else. */
export function readPathText(text: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let control: readonly [number, number] | undefined;
  let controlOf = '';
  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at ${at} in ${text}`);
  };
  const separator = () => {
    while (text[at] === ' ') at++;
    if (text[at] === ',') at++;
    while (text[at] === ' ') at++;
  };
  const number = (): number => {
    separator();
    const match = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)/.exec(text.slice(at, at + 40));
    if (match === null) return fail('no number');
    at += match[0].length;
    return Number(match[0]);
  };
  const flag = (): number => {
    separator();
    const digit = text[at++];
    return digit === '0' || digit === '1' ? Number(digit) : fail('no flag');
  };
  let letter = '';
  while (at < text.length) {
    if (/[a-zA-Z]/.test(text[at]!)) letter = text[at++]!;
    else if (letter === 'M') letter = 'L';
    else if (letter === 'm') letter = 'l';
    else if (letter === '' || letter === 'z' || letter === 'Z') fail('no command');
    const capital = letter.toUpperCase();
    const count = COUNTS[capital];
    if (count === undefined) return fail(`unknown command ${letter}`);
    if (steps.length === 0 && capital !== 'M') fail('no move at first');
    const relative = letter !== capital;
    const originX = relative ? x : 0;
    const originY = relative ? y : 0;
    if (capital === 'Z') {
      steps.push({ letter: 'Z', numbers: [] });
      x = startX;
      y = startY;
      controlOf = '';
      continue;
    }
    const read = Array.from({ length: count }, (_, k) => {
      if (capital === 'A') return k === 3 || k === 4 ? flag() : number() + (k === 5 ? originX : k === 6 ? originY : 0);
      if (capital === 'V') return number() + originY;
      return number() + (k % 2 === 0 ? originX : originY);
    });
    const reflected = (kind: string): readonly [number, number] =>
      control !== undefined && controlOf === kind ? [2 * x - control[0], 2 * y - control[1]] : [x, y];
    let numbers = read;
    let kind = capital;
    if (capital === 'H') [numbers, kind] = [[read[0]!, y], 'L'];
    else if (capital === 'V') [numbers, kind] = [[x, read[0]!], 'L'];
    else if (capital === 'S') [numbers, kind] = [[...reflected('C'), ...read], 'C'];
    else if (capital === 'T') [numbers, kind] = [[...reflected('Q'), ...read], 'Q'];
    steps.push({ letter: kind, numbers });
    controlOf = kind;
    control = kind === 'C' ? [numbers[2]!, numbers[3]!] : kind === 'Q' ? [numbers[0]!, numbers[1]!] : undefined;
    x = numbers.at(-2)!;
    y = numbers.at(-1)!;
    if (kind === 'M') {
      startX = x;
      startY = y;
    }
  }
  return steps;
}
