import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../shared/text.js';
import type { UsageDay } from './api.js';

const SERIES = {
  conversions: 'Conversions',
  exports: 'Exports',
  credits_used: 'Credits',
  failures: 'Failures',
} as const;
type SeriesId = keyof typeof SERIES;

const HEIGHT = 210;
const [LEFT, BOTTOM, TOP] = [44, 26, 10];
/** Half the width of the longest date below the bars. */
const HALF_LABEL = 24;
/** Until the page has been laid out. */
const FIRST_WIDTH = 640;

/** A round number at least as large, for the top of the axis. */
function roundUp(value: number): number {
  if (value <= 4) return 4;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * unit >= value) as number) * unit;
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The width that an element has, in CSS pixels, now and whenever it changes. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, entry?.contentRect.width ?? FIRST_WIDTH)));
    observer.observe(element.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

/** Thirty days as bars, and as a table for who does not see them. */
export function UsageChart({ history }: { readonly history: readonly UsageDay[] }) {
  const [series, setSeries] = useState<SeriesId>('conversions');
  const { element, width } = useWidth();
  const most = roundUp(Math.max(...history.map((each) => each[series])));
  const sum = history.reduce((total, each) => total + each[series], 0);
  const step = (width - LEFT) / history.length;
  const tall = HEIGHT - BOTTOM - TOP;
  const y = (value: number) => TOP + tall * (1 - value / most);
  return (
    <div class="chart" ref={element}>
      <div class="row wrap">
        <div class="segments" role="radiogroup" aria-label="What to count">
          {(Object.keys(SERIES) as SeriesId[]).map((id) => (
            <label key={id}>
              <input type="radio" name="series" checked={series === id} onChange={() => setSeries(id)} />
              <span>{SERIES[id]}</span>
            </label>
          ))}
        </div>
        <span class="quiet">
          {formatCount(sum)} in {history.length} days
        </span>
      </div>
      <svg width={width} height={HEIGHT} role="img" aria-label={`${SERIES[series]} of the last ${history.length} days`}>
        {[0, most / 2, most].map((value) => (
          <g key={value}>
            <line class="chart-line" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text class="chart-text" x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {formatCount(value)}
            </text>
          </g>
        ))}
        {history.map((each, i) => (
          <g key={each.date}>
            <rect
              class={`chart-bar${series === 'failures' ? ' is-failure' : ''}`}
              x={LEFT + i * step + step * 0.16}
              width={step * 0.68}
              y={y(each[series])}
              height={Math.max(each[series] > 0 ? 2 : 0, HEIGHT - BOTTOM - y(each[series]))}
              rx={2}
            >
              <title>
                {day.format(new Date(each.date))}: {formatCount(each[series])}
              </title>
            </rect>
            {i % 7 === 0 && (
              <text
                class="chart-text"
                x={Math.min(LEFT + (i + 0.5) * step, width - HALF_LABEL)}
                y={HEIGHT - 5}
                text-anchor="middle"
              >
                {day.format(new Date(each.date))}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div class="hidden">
        <table>
          <caption>Usage by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {Object.values(SERIES).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {history.map((each) => (
              <tr key={each.date}>
                <th scope="row">{each.date}</th>
                {(Object.keys(SERIES) as SeriesId[]).map((id) => (
                  <td key={id}>{each[id]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
