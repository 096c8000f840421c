import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createPrometheusMetrics } from '#adapters/metrics/prometheus-metrics.js';
import { createMemoryStores } from '#adapters/persistence/stores.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { observedArtifactStore, observedCreditLedger } from '#application/observed.js';
import { describeArtifactStore, svgArtifact } from '#test/contracts/artifact-store.js';
import { describeCreditLedger } from '#test/contracts/credit-ledger.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';

describeArtifactStore('a store that is observed', async (deps) =>
  observedArtifactStore(createMemoryArtifactStore(deps), createPrometheusMetrics().ofStore),
);

describe('a ledger that is observed', () => {
  describeCreditLedger(async (clock) => {
    const stores = createMemoryStores(clock);
    return { ...stores, credits: observedCreditLedger(stores.credits, createPrometheusMetrics().ofLedger) };
  });
});

describe('what is observed', () => {
  it('is told by operation, failures by their code, an empty account as an answer', async () => {
    const clock = createManualClock();
    const metrics = createPrometheusMetrics();
    const store = observedArtifactStore(
      createMemoryArtifactStore({ clock, ids: randomIdSource, capBytes: 10 }),
      metrics.ofStore,
    );
    await store.put(svgArtifact());
    await (await store.reserve(1)).put(svgArtifact({ bytes: new Uint8Array(1) }));
    expect((await refusalOf(store.put(svgArtifact()))).code).to.equal('STORAGE_FULL');
    const stores = createMemoryStores(clock);
    const credits = observedCreditLedger(stores.credits, metrics.ofLedger);
    const { id } = await stores.accounts.create({ email: null, plan: 'free' });
    await (await credits.hold(id, 5)).settle();
    await refusalOf(credits.hold(id, 500));
    await refusalOf(credits.balance('nobody'));

    const text = await metrics.text();
    for (const line of [
      'burin_store_seconds_count{operation="put"} 2',
      'burin_store_errors_total{operation="put",code="STORAGE_FULL"} 1',
      'burin_ledger_seconds_count{operation="hold"} 2',
      'burin_ledger_seconds_count{operation="settle"} 1',
      'burin_ledger_errors_total{operation="balance",code="NOT_FOUND"} 1',
    ])
      expect(text).to.include(`${line}\n`);
    expect(text).to.not.include('INSUFFICIENT_CREDITS');
  });
});
