import { TargetIcon } from '../shared/icons.js';
import { useStore } from '../shared/store.js';
import { formatBytes, formatCount, formatMs, labelOf, plural } from '../shared/text.js';
import { currentTrace, drawingOf, studio } from './model.js';
import { pointAt } from './viewer.js';

const encoder = new TextEncoder();

/** How far apart two colors are, in words; 1 is about what an eye can tell. */
function verdict(deltaE00: number): string {
  if (deltaE00 < 0.5) return 'No difference to be seen.';
  if (deltaE00 < 1.5) return 'Hardly a difference to be seen.';
  if (deltaE00 < 4) return 'Differences show where one looks closely.';
  return 'A plain difference: try a finer setting or another preset.';
}

/** What came out, in figures. */
export function Readouts() {
  const trace = useStore(studio, currentTrace);
  const svg = useStore(studio, (state) => (state.currentId === null ? undefined : drawingOf(state, state.currentId)));
  if (trace === undefined || svg === undefined) return null;
  const { traceStats: stats, qualityDiagnostics: quality, charge } = trace;
  const { fidelity } = quality;
  const rows: readonly (readonly [string, string])[] = [
    ['Shapes', formatCount(stats.shapes)],
    ['Nodes', formatCount(stats.nodes)],
    ['Colors', formatCount(stats.colors)],
    ['Size', formatBytes(svg === trace.svg ? stats.svgBytes : encoder.encode(svg).length)],
    ['Time', formatMs(stats.timingsMs.total)],
    ['Cost', charge === null ? '–' : plural(charge.charged, 'credit')],
  ];
  return (
    <section class="panel" aria-label="Result">
      <div class="panel-head">
        <h2>Result</h2>
        <span class="quiet">
          {stats.width} × {stats.height} px
        </span>
      </div>
      <dl class="figures">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {fidelity === null ? (
        <p class="meaning">Fidelity was not measured; “Fidelity” under The answer turns it on.</p>
      ) : (
        <div class="fidelity">
          <dl class="figures">
            <div>
              <dt title="Mean CIEDE2000: 0 is identical, about 1 is just noticeable">ΔE00</dt>
              <dd>{fidelity.deltaE00.toFixed(2)}</dd>
            </div>
            <div>
              <dt title="Structural similarity: 1 is identical">SSIM</dt>
              <dd>{fidelity.ssim.toFixed(4)}</dd>
            </div>
            <div>
              <dt title="Peak signal to noise ratio">PSNR</dt>
              <dd>{fidelity.psnr.toFixed(1)} dB</dd>
            </div>
          </dl>
          <p class="meaning">{verdict(fidelity.deltaE00)}</p>
          <button type="button" class="button" onClick={() => pointAt(fidelity.worst)}>
            <TargetIcon />
            Worst spot
            <span class="quiet">ΔE00 {fidelity.worst.deltaE00.toFixed(1)}</span>
          </button>
        </div>
      )}
      <dl class="facts">
        <div>
          <dt>Taken for</dt>
          <dd>
            {labelOf(quality.detectedType)}, {Math.round(quality.typeConfidence * 100)} % sure
            <span class="quiet">{quality.typeReason}</span>
          </dd>
        </div>
        <div>
          <dt>Edge recovery</dt>
          <dd>
            {labelOf(quality.edgeRecoveryResolved)}
            <span class="quiet">{quality.edgeRecoveryReason}</span>
          </dd>
        </div>
        {charge !== null && (
          <div>
            <dt>Credits left</dt>
            <dd>
              {formatCount(charge.remaining)}
              {charge.charged === 0 && <span class="quiet">The same picture again costs nothing for a day.</span>}
            </dd>
          </div>
        )}
        {quality.notes.map(({ code, message }) => (
          <div key={code}>
            <dt>Note</dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
