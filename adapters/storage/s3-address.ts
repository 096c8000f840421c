/** Where a bucket is and how it is spoken to. */
export interface S3Address {
  readonly bucket: string;
  /** Before every key: empty, or ending in `/`. */
  readonly prefix: string;
  /** The server's address; left out for AWS's own. */
  readonly endpoint?: string;
  /** Under which clients reach the same server, where that is another address; for links that are given out. */
  readonly publicEndpoint?: string;
  readonly region?: string;
  /** `host/bucket/key` in place of `bucket.host/key`. */
  readonly pathStyle: boolean;
  /** Whether objects are tagged with their life in days, for lifecycle rules; some servers know no tags. */
  readonly tags: boolean;
  /** Whether files are counted and swept here; off where lifecycle rules remove them and no cap is wanted. */
  readonly sweep: boolean;
}

export const S3_FORM =
  's3://bucket/prefix, with endpoint=, public_endpoint=, region=, addressing=, tags= and sweep= after a ? where needed';

const PARAMETERS: readonly string[] = ['endpoint', 'public_endpoint', 'region', 'addressing', 'tags', 'sweep'];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The bucket that `s3://bucket/prefix?endpoint=…` names; undefined where the address is not of that form. */
export function parseS3Address(url: URL): S3Address | undefined {
  const { searchParams } = url;
  // Keys belong where the SDK looks for them, not where addresses are logged.
  if (url.protocol !== 's3:' || url.username !== '' || url.password !== '' || !BUCKET.test(url.host)) return undefined;
  if ([...searchParams.keys()].some((name) => !PARAMETERS.includes(name))) return undefined;
  const text = (name: string) => searchParams.get(name) ?? undefined;
  const [endpoint, publicEndpoint, region] = [text('endpoint'), text('public_endpoint'), text('region')];
  if ([endpoint, publicEndpoint].some((address) => address !== undefined && !isWeb(address))) return undefined;
  const [tags = 'on', sweep = 'on'] = [text('tags'), text('sweep')];
  // AWS itself has a host for each bucket; most other servers have not.
  const addressing = text('addressing') ?? (endpoint === undefined ? 'host' : 'path');
  if (![tags, sweep].every((value) => value === 'on' || value === 'off')) return undefined;
  if (addressing !== 'path' && addressing !== 'host') return undefined;
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    ...(endpoint !== undefined && { endpoint }),
    ...(publicEndpoint !== undefined && { publicEndpoint }),
    ...(region !== undefined && { region }),
    pathStyle: addressing === 'path',
    tags: tags === 'on',
    sweep: sweep === 'on',
  };
}
