import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discPng, noisePng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';
import { until } from '#test/support/until.js';
import { busyWorkers, environmentOf, workerProcesses } from '#test/support/worker-processes.js';

const HEAVY_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${'<path d="M0 0h9v9z"/>'.repeat(40_000)}</svg>`;
const SECRET = 'a database that workers need not know';

describe('the service, whose workers are killed', () => {
  let folder: string;
  let service: ReturnType<typeof startProcess>;
  let url: string;
  let headers: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-isolation-'));
    service = startProcess({
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_DATABASE_URL: `sqlite:${join(folder, 'burin.sqlite')}`,
      BURIN_WORKERS: '1',
      BURIN_WORKER_RESIDENT: '1GB',
      AWS_SECRET_ACCESS_KEY: SECRET,
    });
    url = await service.ready;
    headers = { 'x-api-key': service.firstKey() };
  });
  after(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
    await rm(folder, { recursive: true, force: true });
  });

  const convert = (picture: Uint8Array) =>
    fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      body: new Uint8Array(convertForm(picture)),
    });
  const exportSvg = (svg: string, format: string) =>
    fetch(`${url}/api/v1/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ svg, format }),
    });
  const balance = async () =>
    ((await (await fetch(`${url}/api/v1/usage`, { headers })).json()) as { api_credits_balance: number })
      .api_credits_balance;
  const files = async () => (await readdir(join(folder, 'files'), { recursive: true })).length;
  const isIdle = async () => {
    const { queues } = (await (await fetch(`${url}/health`)).json()) as { queues: Record<string, { running: number }> };
    return Object.values(queues).every(({ running }) => running === 0);
  };

  it('answers 503 for the picture that was worked on, keeps nothing of it, takes nothing for it, and goes on', async () => {
    const before = [await balance(), await files()];
    const answering = convert(await noisePng(700));
    process.kill((await busyWorkers(service.child.pid))[0]!, 'SIGKILL');
    const answer = await answering;
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.equal('1');
    expect(((await answer.json()) as { code: string }).code).to.equal('WORKER_LOST');
    await until(isIdle);
    expect([await balance(), await files()]).to.deep.equal(before);
    expect((await convert(await discPng(48))).status).to.equal(200);
  });

  it('answers 503 for the drawing that was exported, and goes on', async () => {
    const answering = exportSvg(HEAVY_SVG, 'pdf');
    process.kill((await busyWorkers(service.child.pid))[0]!, 'SIGKILL');
    const answer = await answering;
    expect(answer.status).to.equal(503);
    expect(((await answer.json()) as { code: string }).code).to.equal('WORKER_LOST');
    const small = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4v4z"/></svg>';
    expect((await exportSvg(small, 'png')).status).to.equal(200);
  });

  it('shows its workers no key and no address', () => {
    const pids = workerProcesses(undefined, service.child.pid);
    expect(pids).to.not.have.length(0);
    for (const pid of pids) {
      const seen = environmentOf(pid).join('\n');
      expect(seen).to.include('PATH=');
      expect(seen).to.not.match(/BURIN_|AWS_|secret/i);
      expect(seen).to.not.include(SECRET);
    }
  });

  it('leaves no worker behind when it is killed itself', async () => {
    const pids = workerProcesses(undefined, service.child.pid);
    convert(await noisePng(700)).catch(() => {});
    const [busy] = await busyWorkers(service.child.pid);
    expect(pids).to.include(busy);
    service.child.kill('SIGKILL');
    await service.exited;
    await until(async () => pids.every((pid) => environmentOf(pid).length === 0));
  });
});
