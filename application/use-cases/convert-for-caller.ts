import { accountOf, type Caller, callerId, queueCallerOf, requireActive } from '#application/caller.js';
import type { AccountFiles } from '#application/ports/account-files.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { Charge, CreditHold, CreditLedger } from '#application/ports/credit-ledger.js';
import type { Digest } from '#application/ports/digest.js';
import type { Logger } from '#application/ports/logger.js';
import type { RetraceMemory, TracedPicture } from '#application/ports/retrace-memory.js';
import type { UsageEvent, UsageMeter } from '#application/ports/usage-meter.js';
import { availableCredits } from '#domain/credits/balance.js';
import { priceOfConversion } from '#domain/credits/price.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import type { TierId } from '#domain/tiers/tier.js';
import type { ConvertedPicture, ConvertPicture, ConvertPictureInput } from './convert-picture.js';
import { type ConversionEstimate, estimateConversion } from './estimate-conversion.js';

export interface ConvertForCallerInput extends Omit<ConvertPictureInput, 'caller' | 'onTurn'> {
  readonly caller: Caller;
  /** Work with a name is paid once, however often it is begun. */
  readonly reference?: string;
  /** Called when all is there and before it is paid; what it rejects with ends the conversion, and nothing is charged. */
  readonly beforePaid?: (converted: ConvertedPicture) => Promise<void>;
}

export interface ChargedConversion extends ConvertedPicture {
  readonly charge: Charge;
}

/**
 * A conversion as somebody pays for it: refused at once where the credits are too few; the price of its tier is set aside when its
 * turn has come, beside the first work on it and before anything comes of that; paid when the file is there, and given back
 * whatever else happens, the client's going away included. Who is refused by the queue leaves nothing in the ledger. The same
 * picture again for the same key within 24 hours, at the same tier or a lower one, is free; so is everything without a key.
 * Rejects as ConvertPicture does, with INSUFFICIENT_CREDITS, and with FORBIDDEN for an account that is not active.
 */
export interface ConvertForCaller {
  (input: ConvertForCallerInput, signal?: AbortSignal): Promise<ChargedConversion>;
  /** What it would cost this caller and how it would be done; without the picture, nothing is known to be free. */
  estimate(
    input: Pick<ConvertForCallerInput, 'caller' | 'settings'> & { bytes?: Uint8Array },
  ): Promise<ConversionEstimate>;
  /** Whether conversions wait for their turn, so that `claimPlace` is worth asking before a picture is looked at. */
  isCrowded(): boolean;
  /**
   * Throws as the conversion would, for an account that is not active and for want of a place in the queue, and notes nothing.
   * Else the place is kept until this caller's next conversion of the tier stands in line, or the answer is called.
   */
  claimPlace(caller: Caller, tier: TierId): () => void;
  /** Credits that the caller can spend; 0 without a key. */
  remaining(caller: Caller): Promise<number>;
}

export interface ConvertForCallerDeps {
  readonly convertPicture: ConvertPicture;
  readonly queue: Pick<ConversionQueue, 'requirePlace' | 'claimPlace' | 'isCrowded'>;
  readonly credits: CreditLedger;
  readonly retrace: RetraceMemory;
  readonly usage: UsageMeter;
  readonly files: AccountFiles;
  readonly artifacts: Pick<ArtifactStore, 'remove'>;
  readonly digest: Digest;
  readonly logger: Pick<Logger, 'warn'>;
  /** Conversions of one key at once; decisions.md's number when left out. */
  readonly maxConcurrentPerKey?: number;
}

const FREE: CreditHold = {
  id: '',
  credits: 0,
  remaining: 0,
  settle: async () => ({ charged: 0, remaining: 0 }),
  release: async () => {},
};

const tierFor = (settings: Readonly<Record<string, unknown>>): TierId =>
  resolveSettings(parseSettings(settings)).values.quality_tier;

export function createConvertForCaller(deps: ConvertForCallerDeps): ConvertForCaller {
  const { convertPicture, queue, credits, retrace, usage, files, artifacts, digest, logger, maxConcurrentPerKey } =
    deps;

  /** Books beside the ledger: where they cannot be kept, the conversion is as good as before. */
  const note = async (what: string, noting: Promise<void>) => {
    await noting.catch((err: unknown) => logger.warn({ err }, `${what} could not be noted`));
  };
  const record = (event: UsageEvent) => note('usage', usage.record(event));

  const convert = async (input: ConvertForCallerInput, signal?: AbortSignal): Promise<ChargedConversion> => {
    const { caller, reference, beforePaid, ...picture } = input;
    const tier = tierFor(picture.settings);
    requireActive(caller);
    const place = queueCallerOf(caller, maxConcurrentPerKey);
    queue.requirePlace?.(tier, place);
    // Known now or never: the bytes are handed over.
    const traced: TracedPicture = { caller: callerId(caller), picture: digest(picture.bytes), tier };
    const accountId = accountOf(caller)?.id;
    // Work with a name may have been paid for already; the ledger knows.
    const looksFirst = accountId !== undefined && reference === undefined;
    const [isFree, balance] = await Promise.all([
      accountId === undefined || retrace.isFree(traced),
      looksFirst ? credits.balance(accountId) : undefined,
    ]);
    const price = isFree ? 0 : priceOfConversion(tier);
    // Who has too few credits need not wait to be told.
    if (balance !== undefined && availableCredits(balance) < price)
      throw new ServiceError('INSUFFICIENT_CREDITS', { needed: price, balance: availableCredits(balance) });
    let hold = FREE;
    const onTurn = async () => {
      if (accountId !== undefined)
        hold = await credits.hold(accountId, price, reference === undefined ? {} : { reference });
    };

    let converted: ConvertedPicture | undefined;
    let charge: Charge;
    try {
      converted = await convertPicture({ ...picture, caller: place, onTurn }, signal);
      await beforePaid?.(converted);
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      charge = await hold.settle();
    } catch (error) {
      // Where it was the settling that failed, this changes nothing: the hold expires, or has been paid.
      await hold.release();
      // Nobody will ever know its name.
      if (converted !== undefined) await artifacts.remove(converted.file.basename).catch(() => {});
      throw error;
    }
    if (accountId !== undefined) {
      await Promise.all([
        ...(charge.charged > 0 ? [note('a paid picture', retrace.remember(traced))] : []),
        note('a file', files.add(accountId, converted.file)),
        record({ accountId, kind: 'conversion', credits: charge.charged }),
      ]);
    }
    return { ...converted, charge };
  };

  const counted: typeof convert = async (input, signal) => {
    try {
      return await convert(input, signal);
    } catch (error) {
      const accountId = accountOf(input.caller)?.id;
      const cancelled = error instanceof ServiceError && error.code === 'CANCELLED';
      if (accountId !== undefined && !cancelled) await record({ accountId, kind: 'failure', credits: 0 });
      throw error;
    }
  };

  return Object.assign(counted, {
    async estimate({ caller, settings, bytes }: Parameters<ConvertForCaller['estimate']>[0]) {
      const estimate = estimateConversion(settings);
      if (accountOf(caller) === undefined || bytes === undefined) return estimate;
      const traced = { caller: callerId(caller), picture: digest(bytes), tier: tierFor(settings) };
      return (await retrace.isFree(traced)) ? { ...estimate, credits: 0 } : estimate;
    },
    isCrowded: () => queue.isCrowded?.() ?? false,
    claimPlace(caller: Caller, tier: TierId) {
      requireActive(caller);
      return queue.claimPlace?.(tier, queueCallerOf(caller, maxConcurrentPerKey)) ?? (() => {});
    },
    async remaining(caller: Caller) {
      const account = accountOf(caller);
      return account === undefined ? 0 : availableCredits(await credits.balance(account.id));
    },
  });
}
