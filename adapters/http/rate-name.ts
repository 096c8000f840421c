import { isIPv6 } from 'node:net';

/** The name that an address is counted under: itself, or the network of 2^64 addresses that one IPv6 customer has. */
export function rateNameOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return `address:${mapped}`;
  if (!isIPv6(address) || address === '::1') return `address:${address}`;
  const [head = '', tail] = (address.split('%', 1)[0] as string).split('::');
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const network = [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4);
  return `address:${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::`;
}
