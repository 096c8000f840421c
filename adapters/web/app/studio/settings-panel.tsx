import { PRESETS } from '#domain/presets/catalogue.js';
import {
  PRESET_IDS,
  SETTING_GROUPS,
  type SettingGroup,
  type SettingName,
  settingNames,
  settingRow,
} from '#domain/presets/settings-table.js';
import { TIER_IDS, TIERS } from '#domain/tiers/tier.js';
import { useStore } from '../shared/store.js';
import { labelOf, plural } from '../shared/text.js';
import { currentWork, resetSettings, setSetting, studio } from './model.js';
import { SettingControl } from './setting-control.js';

/** These two stand above the others, as cards. */
const FIRST: readonly SettingName[] = ['preset', 'quality_tier'];

function Presets() {
  const preset = useStore(studio, (state) => state.settings.preset ?? 'auto');
  const chosen = PRESET_IDS.find((id) => id === preset);
  return (
    <fieldset class="presets">
      <legend>Kind of picture</legend>
      <div class="cards">
        {PRESET_IDS.map((id) => (
          <label class="card-choice" key={id} title={PRESETS[id].meaning}>
            <input
              type="radio"
              name="preset"
              checked={preset === id}
              aria-describedby="preset-meaning"
              onChange={() => setSetting('preset', id === 'auto' ? undefined : id)}
            />
            <span>{PRESETS[id].label}</span>
          </label>
        ))}
      </div>
      <p class="meaning" id="preset-meaning">
        {chosen === undefined ? '' : PRESETS[chosen].meaning}
      </p>
    </fieldset>
  );
}

function Tiers() {
  const fallback = settingRow('quality_tier').default as string;
  const tier = useStore(studio, (state) => state.settings.quality_tier ?? fallback);
  const chosen = TIER_IDS.find((id) => id === tier);
  return (
    <fieldset class="tiers">
      <legend>Quality</legend>
      <div class="segments">
        {TIER_IDS.map((id) => (
          <label key={id}>
            <input
              type="radio"
              name="quality_tier"
              checked={tier === id}
              onChange={() => setSetting('quality_tier', id === fallback ? undefined : id)}
            />
            <span>
              {labelOf(id).split(' ')[0]}
              <span class="hidden"> {labelOf(id).split(' ').slice(1).join(' ')}</span>{' '}
              <small>{plural(TIERS[id].credits, 'credit')}</small>
            </span>
          </label>
        ))}
      </div>
      {chosen !== undefined && <p class="meaning">{TIERS[chosen].meaning}</p>}
    </fieldset>
  );
}

function Group({ group }: { readonly group: SettingGroup }) {
  const names = settingNames('tracing').filter((name) => settingRow(name).group === group && !FIRST.includes(name));
  const chosen = useStore(studio, (state) => names.filter((name) => state.settings[name] !== undefined).length);
  const field = useStore(studio, (state) => {
    const work = currentWork(state);
    return work?.state === 'failed' ? work.problem.field : undefined;
  });
  const isAtFault = names.some((name) => name === field);
  return (
    <details class="group" open={isAtFault || undefined}>
      <summary>
        <span>{SETTING_GROUPS[group]}</span>
        {chosen > 0 && <span class="count">{chosen} set</span>}
      </summary>
      <div class="group-body">
        {names.map((name) => (
          <SettingControl key={name} name={name} />
        ))}
      </div>
    </details>
  );
}

/** Every parameter of the table, the two that matter most first. */
export function SettingsPanel() {
  const count = useStore(studio, (state) => Object.keys(state.settings).length);
  return (
    <section class="panel" aria-label="Settings">
      <div class="panel-head">
        <h2>Settings</h2>
        <button type="button" class="button quiet-button" disabled={count === 0} onClick={resetSettings}>
          Reset all
        </button>
      </div>
      <Presets />
      <Tiers />
      <h3 class="advanced">Fine control</h3>
      {(Object.keys(SETTING_GROUPS) as SettingGroup[]).map((group) => (
        <Group key={group} group={group} />
      ))}
    </section>
  );
}
