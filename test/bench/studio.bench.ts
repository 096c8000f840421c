import { Resvg } from '@resvg/resvg-js';
import { createBrowser, dropFiles, figure, rested, startBrowserService, traced } from '#test/support/browser.js';

/**
 * The studio in a real browser: how long after a picture of 1024 px is dropped its trace is seen, over the time of the trace
 * itself, and how many frames a second a drawing of 5,000 shapes is zoomed and panned at. Needs BURIN_TEST_CHROMIUM, the
 * path of a Chromium; fails where a figure is worse than its bound. `npm run bench:studio`
 */

const OVER_THE_TRACE_MS = 1000;
const FRAMES_A_SECOND = 30;
const MANY = 5000;
const FIRST_TRACES = 7;
const MOVES = 5;

/** A picture that becomes so many shapes and more: triangles of six colors on a grid. */
function manyShapes(size: number, across: number): Uint8Array {
  const colors = ['#204060', '#c04030', '#308050', '#d0a030', '#704080', '#208090'];
  const step = size / across;
  const shapes = Array.from({ length: across * across }, (_, i) => {
    const [x, y] = [(i % across) * step, Math.floor(i / across) * step];
    const tip = x + step * (0.25 + ((i * 7) % 5) / 10);
    return `<path d="M${x + 2} ${y + step - 2}L${tip} ${y + 2}L${x + step - 2} ${y + step - 2}z" fill="${colors[(i * 5) % 6]}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="#fff"/>${shapes.join('')}</svg>`;
  return new Resvg(svg).render().asPng();
}

/** A picture of 1024 px as people drop it: areas with soft edges. */
const ordinary = (): Uint8Array =>
  new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024"><rect width="1024" height="1024" fill="#f4ede4"/>' +
      '<circle cx="500" cy="420" r="300" fill="#b5532a"/><path d="M100 900Q500 500 950 950z" fill="#20404f"/>' +
      '<path d="M300 300h420v90H300z" fill="#e9c46a"/></svg>',
  )
    .render()
    .asPng();

/** Frames a second while the view moves at every frame: in the page, text. */
const framesWhile = (move: string) => `new Promise((resolve) => {
  const canvas = document.querySelector('.viewer canvas');
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const times = [];
  const step = (time) => {
    times.push(time);
    if (times.length > 60) return resolve(1000 * (times.length - 1) / (times.at(-1) - times[0]));
    ${move}
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;
const ZOOM = `canvas.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: times.length % 40 < 20 ? -60 : 60 }));`;
const PAN = `canvas.dispatchEvent(new PointerEvent('pointermove', { ...at, pointerId: 1, clientX: at.clientX + 60 * Math.sin(times.length / 9) }));`;
const GRAB = `(() => {
  const canvas = document.querySelector('.viewer canvas');
  const { left, top, width, height } = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1, clientX: left + width / 2, clientY: top + height / 2 }));
})()`;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

type OpenBrowser = Awaited<ReturnType<typeof createBrowser>>;

/** Milliseconds from the drop to the drawing, less the trace's own; each in a page of its own, the first not counted. */
async function firstTraces(browser: OpenBrowser, url: string): Promise<number[]> {
  const picture = ordinary();
  const times: number[] = [];
  for (let run = 0; run <= FIRST_TRACES; run++) {
    const { page, end } = await browser.open(url);
    const start = performance.now();
    await dropFiles(page, [{ name: 'ordinary.png', type: 'image/png', bytes: picture }]);
    await traced(page);
    const all = performance.now() - start;
    const own = await figure(page, 'Time');
    if (run > 0) times.push(all - Number.parseFloat(own) * (own.endsWith(' ms') ? 1 : 1000));
    await end();
  }
  return times;
}

/** Frames a second of each zoom and each pan over a drawing of many shapes. */
async function frames(browser: OpenBrowser, url: string): Promise<{ shapes: number; zooms: number[]; pans: number[] }> {
  const { page, end } = await browser.open(`${url}?preset=logo&tiny_path_area=0&quality_tier=fast`);
  await dropFiles(page, [{ name: 'many.png', type: 'image/png', bytes: manyShapes(1460, 73) }]);
  await traced(page);
  // The first look at a drawing paints it whole.
  await rested(page);
  const shapes = Number((await figure(page, 'Shapes')).replaceAll(',', ''));
  const [zooms, pans]: [number[], number[]] = [[], []];
  await page.evaluate(GRAB);
  for (let run = 0; run < MOVES; run++) {
    zooms.push(await page.evaluate<number>(framesWhile(ZOOM)));
    pans.push(await page.evaluate<number>(framesWhile(PAN)));
  }
  await end();
  return { shapes, zooms, pans };
}

const [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
const over = await firstTraces(browser, `${service.url}/`);
const { shapes, zooms, pans } = await frames(browser, `${service.url}/`);
await browser.close();
await service.stop();

console.log(
  `first trace of 1024 px  ${Math.round(median(over))} ms over the trace itself (${Math.round(Math.min(...over))} at best)`,
);
console.log(
  `zoom, ${shapes} shapes  ${median(zooms).toFixed(0)} frames a second (${Math.min(...zooms).toFixed(0)} at worst)`,
);
console.log(
  `pan, ${shapes} shapes  ${median(pans).toFixed(0)} frames a second (${Math.min(...pans).toFixed(0)} at worst)`,
);
if (shapes <= MANY || median(over) > OVER_THE_TRACE_MS || Math.min(median(zooms), median(pans)) < FRAMES_A_SECOND)
  process.exitCode = 1;
