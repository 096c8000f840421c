import { expect } from 'chai';
import { DETAIL_PLANS, type DetailPlan } from '#adapters/restoration/detail-plans.js';
import { CHANNELS, cutOut, emptyPlanes, halve, type Planes, turn, turnBack } from '#adapters/restoration/planes.js';
import { countTiles, type RestoringModel, restorePlanes } from '#adapters/restoration/restore-planes.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

function noise(width: number, height: number, seed = 1): Planes {
  const random = createSeededRandom(seed);
  const planes = emptyPlanes(width, height);
  for (let i = 0; i < planes.values.length; i++) planes.values[i] = random();
  return planes;
}

const at = ({ width, height, values }: Planes, channel: number, x: number, y: number): number =>
  x < 0 || y < 0 || x >= width || y >= height ? 0 : (values[(channel * height + y) * width + x] as number);

/**
 * A model that sees `reach` px far, in every direction alike: the mean of the square around a pixel. Beyond the border it sees
 * black, as padded convolutions do, which shows at every cut that is not hidden.
 */
function meanModel(reach: number, scale: 2 | 4): RestoringModel & { readonly runs: Planes[] } {
  const runs: Planes[] = [];
  return {
    scale,
    runs,
    async run(planes) {
      runs.push(planes);
      const answer = emptyPlanes(planes.width * scale, planes.height * scale);
      for (let channel = 0; channel < CHANNELS; channel++)
        for (let y = 0; y < planes.height; y++)
          for (let x = 0; x < planes.width; x++) {
            let sum = 0;
            for (let v = -reach; v <= reach; v++)
              for (let u = -reach; u <= reach; u++) sum += at(planes, channel, x + u, y + v);
            for (let v = 0; v < scale; v++)
              for (let u = 0; u < scale; u++)
                answer.values[(channel * answer.height + y * scale + v) * answer.width + x * scale + u] =
                  sum / (2 * reach + 1) ** 2;
          }
      return answer;
    },
  };
}

const PLAN: DetailPlan = { tile: 16, overlap: 6, orientations: 1 };
const nothing = () => {};

const farthest = (a: Planes, b: Planes): number => {
  expect([a.width, a.height]).to.deep.equal([b.width, b.height]);
  return a.values.reduce((most, value, i) => Math.max(most, Math.abs(value - (b.values[i] as number))), 0);
};

describe('Planes', () => {
  it('are turned back from each of their orientations, all of which differ', () => {
    const planes = noise(5, 3);
    const seen = new Set<string>();
    for (let orientation = 0; orientation < 8; orientation++) {
      const turned = turn(planes, orientation);
      seen.add(`${turned.width} ${turned.values.join(' ')}`);
      expect(turnBack(turned, orientation), String(orientation)).to.deep.equal(planes);
    }
    expect(seen.size).to.equal(8);
  });

  it('go on beyond their border with what is there', () => {
    const part = cutOut(noise(4, 3), -2, -1, 8, 6);
    expect(at(part, 1, 0, 0)).to.equal(at(noise(4, 3), 1, 0, 0));
    expect(at(part, 2, 7, 5)).to.equal(at(noise(4, 3), 2, 3, 2));
    expect(at(part, 0, 3, 2)).to.equal(at(noise(4, 3), 0, 1, 1));
  });

  it('are halved by the mean of four', () => {
    const planes = noise(4, 2);
    const half = halve(planes);
    const mean = (at(planes, 1, 2, 0) + at(planes, 1, 3, 0) + at(planes, 1, 2, 1) + at(planes, 1, 3, 1)) / 4;
    expect(at(half, 1, 1, 0)).to.be.closeTo(mean, 1e-6);
  });
});

describe('Restoring by tiles', () => {
  for (const scale of [2, 4] as const) {
    it(`gives what one tile would, with a model of scale ${scale} that sees no farther than half the overlap`, async () => {
      const planes = noise(53, 37);
      const whole = await restorePlanes(planes, meanModel(3, scale), { ...PLAN, tile: 64 }, nothing);
      const model = meanModel(3, scale);
      const tiled = await restorePlanes(planes, model, PLAN, nothing);
      expect(model.runs).to.have.length(12);
      expect(farthest(whole, tiled)).to.be.below(1e-5);
    });
  }

  it('would show a seam if tiles did not overlap', async () => {
    const planes = noise(53, 37);
    const whole = await restorePlanes(planes, meanModel(3, 2), { ...PLAN, tile: 64 }, nothing);
    const cut = await restorePlanes(planes, meanModel(3, 2), { ...PLAN, overlap: 0 }, nothing);
    expect(farthest(whole, cut)).to.be.above(0.1);
  });

  it('takes the mean of as many orientations as the plan has', async () => {
    const planes = noise(20, 12);
    for (const plan of Object.values(DETAIL_PLANS)) {
      const model = meanModel(0, 2);
      let tiles = 0;
      const restored = await restorePlanes(planes, model, plan, () => {
        tiles++;
      });
      expect(model.runs).to.have.length(plan.orientations);
      expect(tiles).to.equal(countTiles(planes, plan));
      // A model that only doubles adds nothing, whichever way the picture is held.
      expect(farthest(halve(restored), planes)).to.be.below(1e-5);
      const sides = new Set(model.runs.map(({ width, height }) => (width > height ? 'wide' : 'high')));
      expect(sides.size).to.equal(plan.orientations >= 4 ? 2 : 1);
    }
  });

  it('stops before a tile where it is told to', async () => {
    const model = meanModel(0, 2);
    const enough = new Error('enough');
    let left = 3;
    const stopped = restorePlanes(noise(53, 37), model, PLAN, () => {
      if (left-- === 0) throw enough;
    });
    expect(await stopped.catch((reason: unknown) => reason)).to.equal(enough);
    expect(model.runs).to.have.length(3);
  });
});
