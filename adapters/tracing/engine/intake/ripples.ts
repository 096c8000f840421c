import { contrastOf, signedWords } from './word-contrast.js';
import type { WorkingPixels } from './working-pixels.js';

/** A step between two pixels of a row is small up to so many levels, in every channel. */
const SMALL_STEP = 4;
/** Steps farther from each other than this have nothing to do with each other, px. */
const FARTHEST_PX = 8;
/** Steps of one level up and down are dithering, as browsers do it to gradients: one of two must be larger. */
const LEAST_STEP = 2;
/**
 * Of all pixels so many, at least, must be at a small step by which a channel turns back once more, and so large a share of those at a step that
 * follows one. 260 flat and shaded drawings have up to .0002 of the first, and up to .01 of the other where they have as much; 1040 JPEGs of
 * them, of quality 50 to 95, have more but for some of flags of two or three stripes, which compression leaves nearly as they are.
 */
const LEAST_TURNS = 0.0004;
/**
 * And so many, in whatever small picture: of 280 clean icons and emoji of 32 to 48 px one in eight has any, and two have as many; of 840 JPEGs and
 * WEBPs of them six have fewer.
 */
const FEW_TURNS = 4;
const LEAST_TURN_SHARE = 0.015;
/**
 * Codecs that foresee edges, as AVIF's, leave few ripples, but of small steps many that turn: of 600 clean pictures eleven have so many turns, and
 * two of those so large a share of them; of the same as AVIFs of quality 60 574 have both.
 */
const LEAST_OFTEN_TURNING = 0.00006;
const OFTEN_TURN_SHARE = 0.03;
/** Where so many times the first two have been met, the rest of a picture is not looked at: most that are rippled are so all over. */
const PLAINLY = 4;
/**
 * Dithering, as browsers do it to gradients, goes up and down from pixel to pixel, along rows and along columns, by so many levels in two steps at most.
 * Where so many steps do that, of all pixels and for each that turns in other ways, it is that.
 */
const DITHERED_LEVELS = 3;
const LEAST_DITHERED = 0.001;
const DITHERED_TIMES = 10;

/** Small steps that follow one: at which a channel turns back once more, and at which it goes on. */
interface Ripples {
  readonly turns: number;
  readonly onwards: number;
  readonly isDithered: boolean;
}

/** What was found of pictures: several stages ask. */
const known = new WeakMap<WorkingPixels, Ripples>();

/**
 * Whether a picture is rippled, as lossy compression and noise leave it: along its rows colors go up and down and up again by little. What is
 * smooth by intent, a shadow or a gradient, goes on the way it goes, or turns once; dithered, it goes up and down from pixel to pixel.
 */
export function isRippled(pixels: WorkingPixels): boolean {
  if (pixels.isCleared) return false;
  const { turns, onwards, isDithered } = ripplesOf(pixels);
  return !isDithered && turns >= leastTurns(pixels) && turns >= LEAST_TURN_SHARE * (turns + onwards);
}

/** Whether the small steps of a picture, however few they are, turn so often as hardly anything but compression and noise leaves them. */
export function turnsOften(pixels: WorkingPixels): boolean {
  if (pixels.isCleared) return false;
  const { turns, onwards, isDithered } = ripplesOf(pixels);
  const least = Math.max(FEW_TURNS, LEAST_OFTEN_TURNING * pixels.words.length);
  return !isDithered && turns >= least && turns >= OFTEN_TURN_SHARE * (turns + onwards);
}

const leastTurns = ({ words }: WorkingPixels) => Math.max(FEW_TURNS, LEAST_TURNS * words.length);

function ripplesOf(pixels: WorkingPixels): Ripples {
  const found = known.get(pixels) ?? countRipples(pixels);
  known.set(pixels, found);
  return found;
}

function countRipples(pixels: WorkingPixels): Ripples {
  const { words: unsigned, runs, width } = pixels;
  const leastDithered = LEAST_DITHERED * unsigned.length;
  const { starts, count } = runs;
  const words = signedWords(unsigned);
  const lasts = [0, 1, 2, 3].map(() => new LastStep());
  const plainly = PLAINLY * leastTurns(pixels);
  let turns = 0;
  let onwards = 0;
  let otherTurns = 0;
  let dithered = 0;
  const isDithered = () => dithered > leastDithered && dithered > DITHERED_TIMES * otherTurns;
  for (let r = 0; r + 1 < count; r++) {
    const from = words[starts[r]];
    const at = starts[r + 1];
    const to = words[at];
    if (at % width === 0 || contrastOf(from, to) > SMALL_STEP) {
      for (const last of lasts) last.way = 0;
      continue;
    }
    let goesOn = false;
    let turnsAgain = false;
    let alternates = false;
    let isDither = false;
    for (let c = 0; c < 4; c++) {
      const way = channelStep(from, to, c);
      if (way === 0) continue;
      const found = lasts[c].take(way, at);
      if (lasts[c].alternates) {
        alternates = true;
        const down = at < width ? 0 : channelStep(words[at - width], to, c);
        if (down * way > 0 && Math.abs(down) <= DITHERED_LEVELS) isDither = true;
      }
      if (found === 'onwards') goesOn = true;
      else if (found === 'turns again') turnsAgain = true;
    }
    if (isDither) dithered++;
    if (turnsAgain) {
      turns++;
      if (!alternates) otherTurns++;
    } else if (goesOn) onwards++;
    else continue;
    const isOther = turnsAgain && !alternates && dithered <= DITHERED_TIMES * otherTurns;
    if (isOther && otherTurns >= plainly && otherTurns >= PLAINLY * LEAST_TURN_SHARE * (turns + onwards)) break;
  }
  return { turns, onwards, isDithered: isDithered() };
}

/** The last small step of a channel in a row: which way it went, 0 for none, where it was, and whether it was a turn. */
class LastStep {
  way = 0;
  /** Whether it was the third of steps up and down from pixel to pixel that dithering makes. */
  alternates = false;
  private wasBack = false;
  private at = 0;
  private wasTurn = false;

  /** Takes the next one; says how it follows. */
  take(way: number, at: number): 'onwards' | 'turns again' | 'other' {
    const follows = this.way !== 0 && at - this.at <= FARTHEST_PX;
    const isLarge = Math.max(Math.abs(this.way), Math.abs(way)) >= LEAST_STEP;
    const isTurn = follows && isLarge && this.way * way < 0;
    const isAgain = isTurn && this.wasTurn;
    const goesOn = follows && this.way * way > 0;
    const isBack = this.way * way < 0 && at - this.at === 1 && Math.abs(way - this.way) <= DITHERED_LEVELS;
    this.alternates = isBack && this.wasBack;
    this.wasBack = isBack;
    this.way = way;
    this.at = at;
    this.wasTurn = isTurn;
    if (isAgain) return 'turns again';
    return goesOn ? 'onwards' : 'other';
  }
}

function channelStep(a: number, b: number, channel: number): number {
  return ((b >> (8 * channel)) & 255) - ((a >> (8 * channel)) & 255);
}
