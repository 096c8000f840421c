import { readFile } from 'node:fs/promises';

const KB = 1024;

/** Bytes that a process has in memory; undefined where the system does not say (anything but Linux), or it has ended. */
export async function readResidentBytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const found = /^VmRSS:\s*(\d+) kB/m.exec(status);
  return found === null ? undefined : Number(found[1]) * KB;
}
