import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { ServiceError } from '#domain/errors.js';
import type { S3Address } from './s3-address.js';

export interface S3Limits {
  /** How long a connection may take to be made. */
  readonly connectLimitMs: number;
  /** How long one try of a request may take until it is answered, and how long its body may stand still. */
  readonly requestLimitMs: number;
  /** How often a request is tried that fails for no fault of its own. */
  readonly tries: number;
}

export interface S3Access {
  readonly address: S3Address;
  readonly limits: S3Limits;
  /** Left out: those of the environment, by the SDK's own rules. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** As many requests go on at once as conversions end at once, and some more. */
const MAX_SOCKETS = 256;
const DEFAULT_REGION = 'us-east-1';
const RETRY_AFTER_SECONDS = 5;

/** The SDK takes its time to load, and most services need none of it. */
const loadSdk = async () => {
  const [s3, upload] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  return { ...s3, Upload: upload.Upload };
};
export type S3Sdk = Awaited<ReturnType<typeof loadSdk>>;

function clientConfig({ address, limits, credentials }: S3Access, endpoint: string | undefined): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  // With another server there are no regions, and every SDK insists on one.
  const region = address.region ?? (endpoint === undefined ? undefined : DEFAULT_REGION);
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    forcePathStyle: address.pathStyle,
    maxAttempts: limits.tries,
    // Checksums in trailers are newer than many servers, and some keep them as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectLimitMs,
      requestTimeout: limits.requestLimitMs,
      throwOnRequestTimeout: true,
      socketTimeout: limits.requestLimitMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}

export interface S3Connection {
  readonly sdk: S3Sdk;
  readonly client: S3Client;
  /** Signs links; as clients reach the server. */
  readonly publicClient: S3Client;
}

/** Loads the SDK and makes its clients; nothing is asked of the server yet. */
export async function connectS3(access: S3Access): Promise<S3Connection> {
  const sdk = await loadSdk();
  const { endpoint, publicEndpoint } = access.address;
  const client = new sdk.S3Client(clientConfig(access, endpoint));
  const publicClient = publicEndpoint === undefined ? client : new sdk.S3Client(clientConfig(access, publicEndpoint));
  return { sdk, client, publicClient };
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket');
};

/** What the store answered. Whatever it is that it refuses or leaves unanswered, the files cannot be had now. */
export async function answered<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (cause) {
    const details = { what: 'The file storage', retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new ServiceError('UPSTREAM_UNAVAILABLE', details, { cause });
  }
}

/** As `answered`, and undefined where there is no such object. */
export const answeredIfThere = <T>(asking: Promise<T>): Promise<T | undefined> =>
  answered(
    asking.catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );
