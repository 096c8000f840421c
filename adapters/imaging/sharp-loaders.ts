import type { Sharp, SharpOptions } from 'sharp';

/** The part of sharp that is used here. */
export type SharpFactory = ((input: Uint8Array, options: SharpOptions) => Sharp) & {
  readonly cache: (options: boolean) => unknown;
  readonly concurrency: (threads: number) => number;
  readonly block: (options: { operation: string[] }) => void;
  readonly unblock: (options: { operation: string[] }) => void;
};

/** The only readers that bytes from outside may reach; a format that a new libvips brings stays shut. */
const OPEN_LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadHeifBuffer',
];

let loading: Promise<SharpFactory> | undefined;

/**
 * sharp with every reader blocked but the four that are needed. Imported on first use: BMP and raw pixels do without it.
 * The block holds for the whole process, for other users of sharp and other threads as well; raw pixels still go in.
 */
export function loadSharp(): Promise<SharpFactory> {
  loading ??= import('sharp').then((module) => {
    const sharp: SharpFactory = module.default;
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: OPEN_LOADERS });
    // Every picture is seen once, and the service's own workers share the cores.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
